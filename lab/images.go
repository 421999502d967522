package main

import (
	"context"
	"fmt"

	"banditsim/datasets/images"
	"banditsim/lab/deep"
)

// standIn is said of experiments without a file of images.
const standIn = "the digits of 8×8 that the program brings stand in for larger ones: --data FILE or FOLDER names images in the IDX format, such as those of MNIST"

// openImages returns the images that --data names, or the digits that stand in for them.
func (a app) openImages(ctx context.Context, data string) (*images.Set, error) {
	if data == "" {
		fmt.Fprintln(a.stderr, "note: "+standIn)
		data = images.Digits
	}
	return images.Open(ctx, data)
}

// labeled returns the images of the classes, in the order of classes, as networks take them.
func labeled(s *images.Set, classes []uint8) (*deep.Data, deep.Source, error) {
	only := s.Only(classes)
	if there := only.Classes(); len(there) != len(classes) {
		return nil, deep.Source{}, fmt.Errorf("%s: it has the classes %d of %d, want all", s.Name, there, classes)
	}
	place := make(map[uint8]int32)
	for i, class := range classes {
		place[class] = int32(i)
	}
	size := s.Height * s.Width
	d := &deep.Data{Height: s.Height, Width: s.Width, Channels: 1, Classes: len(classes), Pixels: make([]float32, only.Len()*size)}
	for i, label := range only.Labels {
		only.Put(d.Pixels[i*size:(i+1)*size], i)
		d.Labels = append(d.Labels, place[label])
	}
	return d, deep.Source{Name: s.Name, SHA256: s.SHA256}, nil
}
