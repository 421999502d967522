//go:build !unix && !windows

package wholefile

import (
	"errors"
	"os"
)

// syncDir does nothing: WebAssembly may not be able to open a folder.
func syncDir(string) error { return nil }

// closeFirst is false: open files can be renamed.
const closeFirst = false

// lock returns an error: WebAssembly has no file locks.
func lock(*os.File, bool) error { return errors.ErrUnsupported }
