package wholefile

import "os"

// syncDir does nothing: Windows writes renames to the disk by itself and cannot
// open a folder to sync it.
func syncDir(string) error { return nil }

// closeFirst is true: Windows does not rename open files.
const closeFirst = true

// lock does nothing: Windows does not remove files that are open.
func lock(*os.File, bool) error { return nil }
