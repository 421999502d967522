// Package images is the environment of pictures: each class is an arm, and the arm of the picture's class pays 1. It
// reads the IDX files of MNIST and its successors.
package images

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"banditsim/datasets/table"
	"banditsim/internal/workdir"
)

// A Set is a collection of pictures with their classes.
type Set struct {
	Name          string // "MNIST, test", "digits" or "file"
	SHA256        string // of the decompressed images followed by the labels, or of the CSV of digits; in hexadecimal
	Height, Width int
	White         float32 // the largest value of a pixel
	Pixels        []uint8 // picture by picture, each row by row
	Labels        []uint8 // class of each picture
}

// Len returns the number of pictures.
func (s *Set) Len() int { return len(s.Labels) }

// Put writes picture i to dst, of length Height × Width, with pixels from 0 to 1.
func (s *Set) Put(dst []float32, i int) {
	n := s.Height * s.Width
	for j, v := range s.Pixels[i*n : (i+1)*n] {
		dst[j] = float32(v) / s.White
	}
}

// Only returns the pictures whose class is one of classes, in the order of s.
func (s *Set) Only(classes []uint8) *Set {
	only := *s
	only.Pixels, only.Labels = nil, nil
	n := s.Height * s.Width
	for i, label := range s.Labels {
		if slices.Contains(classes, label) {
			only.Pixels = append(only.Pixels, s.Pixels[i*n:(i+1)*n]...)
			only.Labels = append(only.Labels, label)
		}
	}
	return &only
}

// Classes returns the classes that occur, ascending.
func (s *Set) Classes() []uint8 {
	classes := slices.Clone(s.Labels)
	slices.Sort(classes)
	return slices.Compact(classes)
}

func (s *Set) counts() (count [256]int) {
	for _, label := range s.Labels {
		count[label]++
	}
	return count
}

// published names the published files by the SHA-256 of images and labels together.
var published = map[string]string{
	"18489308deedfe2f7bd3a11e599a597126f161d991b1ffcffb71642aa76f7f62": "MNIST, test",
}

// Open reads the pictures that data names: a file of images in the IDX format, a folder with one such file, or
// "digits", the built-in 1,797 digits of 8×8. Files may be compressed by gzip. The labels are in a
// file beside the images, with "labels-idx1" in its name in place of "images-idx3".
func Open(ctx context.Context, data string) (*Set, error) {
	if data == Digits {
		return digits()
	}
	path, err := imagesFile(workdir.Path(ctx, data))
	if err != nil {
		return nil, err
	}
	labels, err := labelsFile(path)
	if err != nil {
		return nil, err
	}
	size, pixels, text, err := readIDX(ctx, path, magicImages, 3)
	if err != nil {
		return nil, err
	}
	count, classes, labelText, err := readIDX(ctx, labels, magicLabels, 1)
	if err != nil {
		return nil, err
	}
	if count[0] != size[0] {
		return nil, fmt.Errorf("%s: %d labels, but %s has %d images", labels, count[0], path, size[0])
	}
	sum := hash(text, labelText)
	return &Set{Name: cmp.Or(published[sum], "file"), SHA256: sum, Height: size[1], Width: size[2], White: 255, Pixels: pixels, Labels: classes}, nil
}

func hash(texts ...[]byte) string {
	h := sha256.New()
	for _, text := range texts {
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

const (
	imagesMark = "images-idx3"
	labelsMark = "labels-idx1"
)

// imagesFile returns data if it is a file or, if data is a folder, the path of the only file of images in it.
func imagesFile(data string) (string, error) {
	info, err := os.Stat(data)
	if err != nil || !info.IsDir() {
		return data, err
	}
	entries, err := os.ReadDir(data)
	if err != nil {
		return "", err
	}
	var found []string
	for _, e := range entries {
		if strings.Contains(e.Name(), imagesMark) {
			found = append(found, e.Name())
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s: no file named *%s* in this folder, as train-%s-ubyte.gz", data, imagesMark, imagesMark)
	case 1:
		return filepath.Join(data, found[0]), nil
	}
	return "", fmt.Errorf("%s: %d files of images, name one: %s", data, len(found), strings.Join(found, ", "))
}

// labelsFile returns the path of the labels that belong to a file of images. Either file may be compressed or not.
func labelsFile(images string) (string, error) {
	folder, name := filepath.Split(images)
	if !strings.Contains(name, imagesMark) {
		return "", fmt.Errorf("%s: the name of a file of images has %q in it, which the labels' has as %q", images, imagesMark, labelsMark)
	}
	labels := folder + strings.Replace(name, imagesMark, labelsMark, 1)
	other := strings.TrimSuffix(labels, ".gz")
	if other == labels {
		other += ".gz"
	}
	for _, path := range []string{labels, other} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s: its labels are not beside it: %s", images, filepath.Base(labels))
}

// Digits is the value of --data for the built-in digits.
const Digits = "digits"

func digits() (*Set, error) {
	text, err := table.Shipped(Digits)
	if err != nil {
		return nil, err
	}
	_, rows, _ := bytes.Cut(text, []byte("\n")) // the first line has the names of the columns
	s := &Set{Name: Digits, SHA256: hash(text), Height: 8, Width: 8, White: 16}
	for row := range bytes.Lines(rows) {
		pixels, label := s.Pixels, 0
		for cell := range bytes.SplitSeq(bytes.TrimSpace(row), []byte(",")) {
			if label, err = strconv.Atoi(string(cell)); err != nil {
				return nil, fmt.Errorf("digits: %w", err)
			}
			pixels = append(pixels, uint8(label))
		}
		s.Pixels, s.Labels = pixels[:len(pixels)-1], append(s.Labels, uint8(label))
	}
	return s, nil
}
