package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func (f file) mode() os.FileMode {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// writeTar writes a tar.gz of the files in a folder. All have the same time and no owner, so that it depends on the files alone.
func writeTar(w io.Writer, folder string, files []file, at time.Time) {
	z := must(gzip.NewWriterLevel(w, gzip.BestCompression))
	t := tar.NewWriter(z)
	for _, f := range files {
		check(t.WriteHeader(&tar.Header{
			Name: folder + "/" + f.name, Mode: int64(f.mode()), Size: int64(len(f.text)), ModTime: at, Format: tar.FormatPAX,
		}))
		must(t.Write(f.text))
	}
	check(t.Close())
	check(z.Close())
}

// writeZip writes a zip in place of a tar.gz.
func writeZip(w io.Writer, folder string, files []file, at time.Time) {
	z := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode())
		must(must(z.CreateHeader(h)).Write(f.text))
	}
	check(z.Close())
}

// writeChecksums writes checksums.txt, which sha256sum -c reads.
func writeChecksums(out string, paths []string) {
	slices.Sort(paths)
	var text strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(must(os.ReadFile(path))), filepath.Base(path))
	}
	check(os.WriteFile(filepath.Join(out, "checksums.txt"), []byte(text.String()), 0o666))
}
