//go:build !windows

package results

import (
	"fmt"
	"os"
)

// syncDir brings a rename in dir to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("results: sync folder: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("results: sync folder %s: %w", dir, err)
	}
	return nil
}
