//go:build !windows

package terminal

import "os"

// enableEscapes does nothing: terminals interpret escape sequences.
func enableEscapes(*os.File) error { return nil }
