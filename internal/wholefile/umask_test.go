//go:build unix

package wholefile

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"banditsim/internal/must"
)

// TestUmask checks that new files have the permissions 0666 without those in the umask.
func TestUmask(t *testing.T) {
	old := unix.Umask(0)
	defer unix.Umask(old)
	for _, mask := range []int{0o002, 0o022, 0o077} {
		unix.Umask(mask)
		path := filepath.Join(t.TempDir(), "file")
		must.OK(t, Write(path, nil))
		info, err := os.Stat(path)
		must.That(t, err == nil && info.Mode().Perm() == os.FileMode(0o666&^mask), "umask %#o: %v, %v", mask, info.Mode(), err)
	}
}

// TestOpenPipe checks that Open returns an error for a named pipe without waiting, and for a device.
func TestOpenPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	must.OK(t, unix.Mkfifo(path, 0o666))
	ended := make(chan error)
	go func() { _, _, err := Open(path); ended <- err }()
	select {
	case err := <-ended:
		must.That(t, err != nil, "no error")
	case <-time.After(10 * time.Second):
		t.Error("it waits")
	}
	_, _, err := Open("/dev/zero")
	must.That(t, err != nil, "no error of a device")
}
