package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableEscapes makes an older console interpret escape sequences.
func enableEscapes(f *os.File) error {
	console := windows.Handle(f.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return err
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
}
