package terminal

import "os"

// bar shows lines: WebAssembly has no terminals.
func (m Meter) bar(f *os.File) (stop func()) { return m.lines(f) }
