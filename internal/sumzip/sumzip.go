// Package sumzip writes and reads zip files of which every byte is under a checksum, so that a file is verified without
// inflating what is in it.
//
// The last file of a zip file is an index, whose content is the caller's and has the Entry of each other. The checksum of an Entry is of the
// header and the compressed bytes of a file, as they are in the zip file. What follows the last, which is the index and the directory, ends with the zip
// file's comment: the SHA-256 of all that follows the last Entry, up to the comment.
package sumzip

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"

	"banditsim/internal/freelist"
	"banditsim/internal/wholefile"
)

// A Digest is a SHA-256, hexadecimal in JSON.
type Digest [sha256.Size]byte

// MarshalText implements encoding.TextMarshaler.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It refuses capital letters, so that a digest has one form.
func (d *Digest) UnmarshalText(b []byte) error {
	if len(b) != hex.EncodedLen(len(d)) || bytes.ContainsAny(b, "ABCDEF") {
		return fmt.Errorf("%.80q is not a SHA-256", b)
	}
	_, err := hex.Decode(d[:], b)
	return err
}

// An Entry is the place of a file in a zip file.
type Entry struct {
	From int64  `json:"from"` // the first byte of its header
	At   int64  `json:"at"`   // the first of its compressed bytes
	Size int64  `json:"size"` // size of these bytes
	Sum  Digest `json:"sha256"`
}

// Compressed bytes with what a zip file says of them.
type Compressed struct {
	bytes  []byte
	crc    uint32
	length int
}

// Len returns the number of compressed bytes.
func (c Compressed) Len() int { return len(c.bytes) }

// A Writer writes a zip file.
type Writer struct {
	zip *zip.Writer
	out hashed
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer {
	to := &Writer{out: hashed{w: w, sum: sha256.New()}}
	to.zip = zip.NewWriter(&to.out)
	return to
}

// Add writes a file.
func (w *Writer) Add(name string, c Compressed) (e Entry, err error) {
	e.From, e.Size = w.out.n, int64(len(c.bytes))
	w.out.sum.Reset()
	to, err := w.zip.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: c.crc,
		CompressedSize64: uint64(len(c.bytes)), UncompressedSize64: uint64(c.length)})
	if err == nil {
		err = w.zip.Flush()
	}
	e.At = w.out.n
	if err == nil {
		_, err = to.Write(c.bytes)
	}
	if err == nil {
		err = w.zip.Flush()
	}
	e.Sum = Digest(w.out.sum.Sum(nil))
	return e, err
}

// Finish writes the index, the last file.
func (w *Writer) Finish(name string, index []byte) error {
	c, err := Compress(index)
	if err != nil {
		return err
	}
	var rest bytes.Buffer
	file := w.out.w
	w.out.w = &rest
	if _, err := w.Add(name, c); err != nil {
		return err
	}
	// The comment is the end of the file. Its length is in what it is the checksum of.
	if err := w.zip.SetComment(strings.Repeat(" ", hex.EncodedLen(sha256.Size))); err != nil {
		return err
	}
	if err := w.zip.Close(); err != nil {
		return err
	}
	b := rest.Bytes()[:rest.Len()-hex.EncodedLen(sha256.Size)]
	sum := sha256.Sum256(b)
	_, err = file.Write(hex.AppendEncode(b, sum[:]))
	return err
}

// A hashed writer counts the bytes that are written, and adds them to sum.
type hashed struct {
	w   io.Writer
	n   int64
	sum hash.Hash
}

func (h *hashed) Write(b []byte) (int, error) {
	n, err := h.w.Write(b)
	h.n += int64(n)
	h.sum.Write(b[:n])
	return n, err
}

// A File is open for reading. Its methods may be called by several goroutines.
type File struct {
	Info fs.FileInfo
	Sum  string // the comment
	file *os.File
	name string // name of the index
	zip  *zip.Reader
}

// Open opens a zip file whose last file has the given name.
func Open(path, name string) (*File, error) {
	file, info, err := wholefile.Open(path)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(file, info.Size())
	if err == nil && (len(z.File) == 0 || z.File[len(z.File)-1].Name != name) {
		err = fmt.Errorf("its last file is not %s", name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &File{Info: info, Sum: z.Comment, file: file, name: name, zip: z}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Index returns the content of the last file, of at most limit bytes. It is verified by Check.
func (f *File) Index(limit int64) ([]byte, error) {
	index := f.zip.File[len(f.zip.File)-1]
	if n := index.UncompressedSize64; n > uint64(limit) { // it may say less than there is
		return nil, fmt.Errorf("%d bytes, want at most %d", n, limit)
	}
	r, err := index.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return ReadAtMost(r, limit)
}

// Check returns an error unless the entries are all that the file has before its index, in their order, and what follows them
// has its checksum. The entries themselves are not verified.
func (f *File) Check(entries []Entry) error {
	rest := Entry{At: f.Info.Size() - int64(len(f.Sum))}
	for i, e := range entries {
		end := e.At + e.Size
		if e.From != rest.From || e.At <= e.From || e.Size < 0 || end < e.At || end > rest.At {
			return fmt.Errorf("%s: entry %d does not follow that before it", f.name, i+1)
		}
		rest.From = end
	}
	if err := rest.Sum.UnmarshalText([]byte(f.Sum)); err != nil {
		return fmt.Errorf("comment: %w", err)
	}
	return f.Verify(rest)
}

// buffers are those of Verify that are not in use.
var buffers = freelist.List[[]byte]{Make: func() []byte { return make([]byte, 1<<16) }}

// Verify returns an error unless an entry has its checksum.
func (f *File) Verify(e Entry) error {
	buffer, sum := buffers.Take(), sha256.New()
	defer buffers.Give(buffer)
	to := e.At + e.Size
	_, err := io.CopyBuffer(sum, io.NewSectionReader(f.file, e.From, to-e.From), buffer)
	if err == nil && Digest(sum.Sum(nil)) != e.Sum {
		err = fmt.Errorf("the checksum of bytes %d to %d of the zip file differs: they were changed", e.From, to)
	}
	return err
}

// VerifyEntry is File.Verify of an entry of the file at path.
func VerifyEntry(path string, e Entry) error {
	file, info, err := wholefile.Open(path)
	if err != nil {
		return err
	}
	f := File{Info: info, file: file}
	defer f.Close()
	return f.Verify(e)
}

// ReadAtMost reads all of r, at most limit bytes.
func ReadAtMost(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("more than %d bytes", limit)
	}
	return b, err
}

// inflater is a reader of compressed bytes in a file.
type inflater struct {
	io.ReadCloser // a flate.Resetter
	file          *os.File
}

// inflaters are the readers of inflater that are not in use: each has a window of 32 KB.
var inflaters = freelist.List[io.ReadCloser]{Make: func() io.ReadCloser { return flate.NewReader(nil) }}

// Close must be called once.
func (r inflater) Close() error {
	inflaters.Give(r.ReadCloser)
	return r.file.Close()
}

// OpenEntry opens the content of an entry of the file at path. It is not verified. The reader must be closed once.
func OpenEntry(path string, e Entry) (io.ReadCloser, fs.FileInfo, error) {
	f, info, err := wholefile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	r := inflaters.Take()
	r.(flate.Resetter).Reset(io.NewSectionReader(f, e.At, e.Size), nil)
	return inflater{r, f}, info, nil
}
