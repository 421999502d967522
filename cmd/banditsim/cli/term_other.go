//go:build !windows

package cli

import "os"

// enableEscapes does nothing: terminals understand escape sequences.
func enableEscapes(*os.File) error { return nil }
