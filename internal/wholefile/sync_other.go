//go:build !unix && !windows

package wholefile

import "os"

// syncDir does nothing, as this system, such as WebAssembly, may not be able to open a folder.
func syncDir(string) error { return nil }

// closeFirst reports whether Publish closes a file before it renames it. Here it does not: open files can be renamed.
const closeFirst = false

// Lock does nothing, as this system, such as WebAssembly, has no file locks.
func Lock(*os.File) error { return nil }
