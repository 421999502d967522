// Package sumline is the last line of a file: the SHA-256 of all bytes before it.
package sumline

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// Text returns the last line of a file whose other bytes have the sum.
func Text(sum []byte) []byte {
	b := append([]byte(nil), `{"sha256":"`...)
	b = hex.AppendEncode(b, sum)
	return append(b, "\"}\n"...)
}

// Parse is the inverse of Text. It reports whether line is such a line.
func Parse(line []byte) (sum [sha256.Size]byte, ok bool) {
	const before = len(`{"sha256":"`)
	if len(line) == len(Text(sum[:])) {
		hex.Decode(sum[:], line[before:before+hex.EncodedLen(len(sum))]) // as far as it is hexadecimal
	}
	return sum, bytes.Equal(line, Text(sum[:]))
}
