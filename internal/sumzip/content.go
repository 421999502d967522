package sumzip

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"hash"
	"hash/crc32"
	"io"

	"banditsim/internal/freelist"
)

// A Content is the content of a file, as it is or compressed. What was compressed where it comes from is kept compressed, as a
// small file can have a content that is a thousand times as large. The zero value is that of no file.
type Content struct {
	plain  []byte
	packed Compressed
}

// Plain returns the content b.
func Plain(b []byte) Content { return Content{plain: b} }

// Len returns the number of bytes, which are not compressed.
func (c Content) Len() int { return max(len(c.plain), c.packed.length) }

// Open returns a reader of the content, which must be closed once.
func (c Content) Open() io.ReadCloser {
	if c.packed.length == 0 {
		return io.NopCloser(bytes.NewReader(c.plain))
	}
	return c.packed.open()
}

// WriteTo writes the content.
func (c Content) WriteTo(w io.Writer) (int64, error) {
	r := c.Open()
	defer r.Close()
	return io.Copy(w, r)
}

// Compressed compresses the content, unless it is compressed.
func (c Content) Compressed() (Compressed, error) {
	if c.packed.length > 0 {
		return c.packed, nil
	}
	return Compress(c.plain)
}

// A Keeper keeps the content that is read through it.
type Keeper struct {
	Err error // error of reading other than io.EOF

	in    io.Reader
	plain []byte
	to    *bytes.Buffer // compressed content; nil if it is kept plain
	w     *flate.Writer
	sum   hash.Hash
	crc   uint32
	n     int
}

// deflaters are the compressors that are not in use.
var deflaters = freelist.List[*flate.Writer]{Make: func() *flate.Writer {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // a level that there is
	return w
}}

// Keep returns a keeper of what is read from in. Content must be called once.
func Keep(in io.Reader, compress bool) *Keeper {
	k := &Keeper{in: in}
	if compress {
		k.to, k.w, k.sum = new(bytes.Buffer), deflaters.Take(), sha256.New()
		k.w.Reset(k.to)
	}
	return k
}

// Read implements io.Reader.
func (k *Keeper) Read(b []byte) (int, error) {
	n, err := k.in.Read(b)
	k.n += n
	if k.to == nil {
		k.plain = append(k.plain, b[:n]...)
	} else {
		k.w.Write(b[:n]) // into memory: no error
		k.sum.Write(b[:n])
		k.crc = crc32.Update(k.crc, crc32.IEEETable, b[:n])
	}
	if err != io.EOF {
		k.Err = err
	}
	return n, err
}

// Content returns what was read. What was compressed is inflated again and compared.
func (k *Keeper) Content() (Content, error) {
	if k.to == nil {
		return Plain(k.plain), nil
	}
	err := k.w.Close()
	deflaters.Give(k.w)
	c := Compressed{k.to.Bytes(), k.crc, k.n}
	r := c.open()
	defer r.Close()
	again := sha256.New()
	if err == nil {
		_, err = io.Copy(again, r)
	}
	if err != nil || !bytes.Equal(again.Sum(nil), k.sum.Sum(nil)) {
		return Content{}, errors.Join(errors.New("what was compressed does not inflate to the same bytes"), err)
	}
	return Content{packed: c}, nil
}

// Compress compresses b, and inflates it again to compare.
func Compress(b []byte) (Compressed, error) {
	k := Keep(bytes.NewReader(b), true)
	if _, err := io.Copy(io.Discard, k); err != nil {
		return Compressed{}, err
	}
	c, err := k.Content()
	return c.packed, err
}

// open returns a reader of the content, which must be closed once.
func (c Compressed) open() io.ReadCloser {
	r := inflaters.Take()
	r.(flate.Resetter).Reset(bytes.NewReader(c.bytes), nil)
	return pooled{r}
}

// pooled is a reader of inflaters.
type pooled struct{ io.ReadCloser }

// Close must be called once.
func (r pooled) Close() error {
	inflaters.Give(r.ReadCloser)
	return nil
}
