package mushroom

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"

	"banditsim/internal/words"
)

// maxArchive bounds the bytes of the zip archive; UCI's has a few hundred thousand.
const maxArchive = 4 << 20

// Fetch returns the UCI file from the cache and downloads it if it is missing or damaged there,
// even if the last download has just failed.
func Fetch(ctx context.Context, o OpenOptions) (*Table, error) {
	if t, err := o.cached(ctx); err == nil {
		return t, nil
	}
	_, data, err := o.download(ctx)
	if err == nil {
		err = o.store(data)
	}
	var t *Table
	if err == nil {
		t, err = o.cached(ctx)
	}
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("%w; %s", err, cure)
		}
		return nil, fmt.Errorf("mushroom: fetch the UCI file: %w", err)
	}
	return t, nil
}

// download returns the checked table in the archive, and its bytes.
func (o OpenOptions) download(ctx context.Context) (*Table, []byte, error) {
	if o.Get == nil {
		return nil, nil, errors.New("this program downloads nothing, as its context has no datasets.Getter")
	}
	limited, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	data, err := o.get(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("not done in %s: %w", o.Timeout, err)
	}
	var t *Table
	if err == nil {
		if h := hash(data); h != o.SHA256 {
			err = fmt.Errorf("%s has SHA-256 %s, want %s", UCIFile, h, o.SHA256)
		} else {
			t, err = parse(data, UCIFile, o.SHA256)
		}
	}
	if err != nil {
		err = fmt.Errorf("download of %s failed: %w", o.URL, err)
		if ctx.Err() == nil {
			o.rememberFailure(err)
		}
		return nil, nil, err
	}
	o.forgetFailure()
	t.Path = o.URL
	return t, data, nil
}

// get returns the bytes of UCIFile in the archive at o.URL.
func (o OpenOptions) get(ctx context.Context) ([]byte, error) {
	body, err := o.Get(ctx, o.URL)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	archive, err := readAll(ctx, body, maxArchive)
	if err != nil {
		return nil, fmt.Errorf("read the archive: %w", err)
	}
	return unzip(ctx, archive)
}

// unzip returns UCIFile from any folder of an archive. It does not trust the sizes that the
// archive states.
func unzip(ctx context.Context, archive []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("read the archive: %w", err)
	}
	for _, member := range z.File {
		if path.Base(member.Name) != UCIFile {
			continue
		}
		f, err := member.Open()
		if err != nil {
			return nil, fmt.Errorf("unpack %s: %w", words.Plain(member.Name), err)
		}
		defer f.Close()
		data, err := readAll(ctx, f, maxSize)
		if err != nil {
			return nil, fmt.Errorf("unpack %s: %w", words.Plain(member.Name), err)
		}
		return data, nil
	}
	return nil, errors.New("the archive has no " + UCIFile)
}
