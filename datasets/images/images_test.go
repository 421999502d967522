package images

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/bandittest"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/must"
)

// idx returns an IDX file of bytes.
func idx(magic uint32, lengths []uint32, elements ...byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, magic)
	for _, n := range lengths {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return append(b, elements...)
}

// three holds pictures of 1×2 pixels of the classes 7, 2 and 7.
var (
	three       = idx(magicImages, []uint32{3, 1, 2}, 0, 255, 51, 102, 255, 0)
	threeLabels = idx(magicLabels, []uint32{3}, 7, 2, 7)
)

func write(t *testing.T, path string, text []byte) string {
	t.Helper()
	if strings.HasSuffix(path, ".gz") {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(text)
		w.Close()
		text = b.Bytes()
	}
	must.OK(t, os.WriteFile(path, text, 0o666))
	return path
}

func TestOpen(t *testing.T) {
	hash := ""
	for name, files := range map[string][2]string{
		"plain":             {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"},
		"compressed":        {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"},
		"images compressed": {"images-idx3.gz", "labels-idx1"},
		"labels compressed": {"images-idx3", "labels-idx1.gz"},
		"dots":              {"train.images-idx3", "train.labels-idx1"},
	} {
		dir := t.TempDir()
		images := write(t, filepath.Join(dir, files[0]), three)
		write(t, filepath.Join(dir, files[1]), threeLabels)
		for _, data := range []string{images, dir} {
			s := must.Get(Open(context.Background(), data))(t)
			must.That(t, s.Height == 1 && s.Width == 2 && slices.Equal(s.Labels, []uint8{7, 2, 7}) &&
				slices.Equal(s.Classes(), []uint8{2, 7}) && s.Name == "file", "%s: %+v", name, s)
			if hash == "" {
				hash = s.SHA256
			}
			must.Equal(t, name+": SHA-256", s.SHA256, hash)
			picture := make([]float32, 2)
			if s.Put(picture, 1); picture[0] != .2 || picture[1] != .4 {
				t.Errorf("%s: picture 2 is %v, want 0.2 0.4", name, picture)
			}
		}
	}
}

// TestMalformed checks that errors about a malformed file name the file and what is wrong.
func TestMalformed(t *testing.T) {
	for _, c := range map[string]struct {
		images, labels []byte
		want           string
	}{
		"empty":              {nil, threeLabels, "0 bytes, an IDX file of 3 dimensions begins with 16"},
		"cut header":         {three[:10], threeLabels, "10 bytes"},
		"labels for images":  {append(slices.Clone(threeLabels), make([]byte, 9)...), threeLabels, "byte 1: 00 00 08 01, the beginning of IDX labels, want 00 00 08 03"},
		"images for labels":  {three, three, "want 00 00 08 01"},
		"other type":         {idx(0x0D03, []uint32{3, 1, 2}, three[16:]...), threeLabels, "byte 1: 00 00 0d 03"},
		"cut":                {three[:20], threeLabels, "4 bytes"},
		"too long":           {append(slices.Clone(three), 0), threeLabels, "byte 17: 7 bytes after the header, its dimensions need 6"},
		"no images":          {idx(magicImages, []uint32{0, 1, 2}), threeLabels, "byte 5: dimension 1 has length 0"},
		"no rows":            {idx(magicImages, []uint32{3, 0, 2}, three[16:]...), threeLabels, "byte 9: dimension 2 has length 0"},
		"too many":           {idx(magicImages, []uint32{1 << 31, 1 << 31, 1 << 31}), threeLabels, "byte 5: dimension 1 has length 2147483648, but 0 bytes follow"},
		"fewer labels":       {three, idx(magicLabels, []uint32{2}, 1, 2), "2 labels, but"},
		"a single class":     {three, idx(magicLabels, []uint32{3}, 7, 7, 7), "a single class, want at least 2"},
		"a broken gzip file": {[]byte{0x1f, 0x8b, 1, 2, 3}, threeLabels, "images-idx3"},
	} {
		dir := t.TempDir()
		images := write(t, filepath.Join(dir, "images-idx3"), c.images)
		write(t, filepath.Join(dir, "labels-idx1"), c.labels)
		must.Refuse(Kind().Open(context.Background(), Kind().Defaults(), images))(t, c.want)
	}
}

// TestWhere checks the errors about missing or ambiguous files.
func TestWhere(t *testing.T) {
	dir := t.TempDir()
	lonely := write(t, filepath.Join(dir, "images-idx3"), three)
	other := write(t, filepath.Join(dir, "pictures"), three)
	both := t.TempDir()
	write(t, filepath.Join(both, "t10k-images-idx3"), three)
	write(t, filepath.Join(both, "train-images-idx3"), three)
	for data, want := range map[string]string{
		filepath.Join(dir, "nothing"): "nothing",
		t.TempDir():                   "no file named *images-idx3* in this folder",
		lonely:                        "its labels are not beside it: labels-idx1",
		other:                         `has "images-idx3" in it`,
		both:                          "2 files of images, name one: t10k-images-idx3, train-images-idx3",
	} {
		_, err := Kind().Open(context.Background(), Kind().Defaults(), data)
		var wrong *datasets.DataError
		must.That(t, errors.As(err, &wrong) && strings.Contains(err.Error(), want),
			"%s: error %v, want one of the data that has %q", data, err, want)
	}
}

func TestClasses(t *testing.T) {
	t.Setenv(envVar, "")
	for _, c := range []struct {
		classes []int
		want    string // part of the error
		arms    string
	}{
		{nil, "", "0 1 2 3 4 5 6 7 8 9"},
		{[]int{4, 0, 1}, "", "0 1 4"},
		{[]int{0, 10}, "classes: no picture of class 10, want some of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9", ""},
		{[]int{0, -1}, "no picture of class -1", ""},
		{[]int{0, 256}, "no picture of class 256", ""},
		{[]int{3, 3}, "classes: 3 occurs twice", ""},
		{[]int{3}, "a single class", ""},
	} {
		w, err := Kind().Open(context.Background(), Options{c.classes, datasets.Drawing{Replacement: true}}, "")
		if c.want != "" {
			must.Fail(t, err, c.want)
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c.classes, err)
			continue
		}
		must.Equal(t, fmt.Sprintf("%v: warning", c.classes), w.Warning, standIn)
		env := must.Get(w.New(stream.Root(1)))(t)
		spec := env.Spec()
		k := float64(len(spec.Arms))
		must.That(t, strings.Join(spec.Arms, " ") == c.arms && spec.Dim == 64 && slices.Equal(spec.Shape, []int{8, 8, 1}) &&
			spec.UniformRegret == (k-1)/k, "%v: %+v, want the arms %s", c.classes, spec, c.arms)
	}
}

func TestEnvironment(t *testing.T) {
	for _, replacement := range []bool{true, false} {
		w := must.Get(Kind().Open(context.Background(), Options{Drawing: datasets.Drawing{Replacement: replacement}}, Digits))(t)
		must.Equal(t, "warning about digits that were asked for", w.Warning, "")
		must.Want(t, fmt.Sprintf("replacement %t", replacement), bandittest.Environment(1000, w.New), "")
	}
}

// TestMNIST reads the published test images, if $BANDITSIM_MNIST names their folder.
func TestMNIST(t *testing.T) {
	dir := os.Getenv("BANDITSIM_MNIST")
	if dir == "" {
		t.Skip("$BANDITSIM_MNIST names no folder with t10k-images-idx3-ubyte.gz")
	}
	s := must.Get(Open(context.Background(), dir))(t)
	must.That(t, s.Name == "MNIST, test" && s.Len() == 10000 && s.Height == 28 && s.Width == 28 && len(s.Classes()) == 10,
		"%s, %d pictures of %d×%d in %d classes", s.Name, s.Len(), s.Height, s.Width, len(s.Classes()))
	must.Equal(t, "digits of 0 to 4", s.Only([]uint8{0, 1, 2, 3, 4}).Len(), 5139)
}
