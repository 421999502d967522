//go:build !unix && !windows

package wholefile

import "os"

// syncDir does nothing, as WebAssembly may not be able to open a folder.
func syncDir(string) error { return nil }

// closeFirst is false, as open files can be renamed.
const closeFirst = false

// Lock does nothing, as WebAssembly has no file locks.
func Lock(*os.File) error { return nil }
