//go:build !unix && !windows

package wholefile

import "os"

// Lock does nothing, as this system, such as WebAssembly, has no file locks.
func Lock(*os.File) error { return nil }
