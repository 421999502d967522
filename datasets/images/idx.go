package images

import (
	"context"
	"encoding/binary"
	"fmt"

	"banditsim/datasets"
)

// maxBytes is the largest size of a decompressed file. The largest known has EMNIST's 697,932 training images: 547 MB.
const maxBytes = 1 << 30

// The magic numbers of IDX files: two bytes of zero, the type of an element (8: unsigned bytes) and the number of
// dimensions. The length of each dimension follows, big-endian.
const (
	magicLabels = 0x0801
	magicImages = 0x0803
)

// readIDX reads an IDX file, gzipped or not. lengths are those of its dimensions, and text is all of it, decompressed.
func readIDX(ctx context.Context, path string, magic uint32, dimensions int) (lengths []int, elements, text []byte, err error) {
	if text, err = datasets.ReadFile(ctx, path, maxBytes); err != nil {
		return nil, nil, nil, err
	}
	header := 4 + 4*dimensions
	if len(text) < header {
		return nil, nil, nil, fmt.Errorf("%s: %d bytes, an IDX file of %d dimensions begins with %d", path, len(text), dimensions, header)
	}
	if got := binary.BigEndian.Uint32(text); got != magic {
		return nil, nil, nil, fmt.Errorf("%s: byte 1: %s, want %s", path, describeMagic(got), describeMagic(magic))
	}
	left, size := len(text)-header, 1
	for i := range dimensions {
		n := int(binary.BigEndian.Uint32(text[4+4*i:]))
		if n < 1 || n > left/size {
			return nil, nil, nil, fmt.Errorf("%s: byte %d: dimension %d has length %d, but %d bytes follow the header", path, 5+4*i, i+1, n, left)
		}
		size *= n
		lengths = append(lengths, n)
	}
	if size != left {
		return nil, nil, nil, fmt.Errorf("%s: byte %d: %d bytes after the header, its dimensions need %d", path, header+1, left, size)
	}
	return lengths, text[header:], text, nil
}

// describeMagic returns the bytes of a magic number and, if it is known, what it stands for.
func describeMagic(magic uint32) string {
	known := map[uint32]string{magicImages: ", the beginning of IDX images", magicLabels: ", the beginning of IDX labels"}
	return fmt.Sprintf("% x%s", binary.BigEndian.AppendUint32(nil, magic), known[magic])
}
