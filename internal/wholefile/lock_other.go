//go:build !unix && !windows

package wholefile

import "os"

// Lock does nothing: programs for WebAssembly have no file locks.
func Lock(*os.File) error { return nil }
