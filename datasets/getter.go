package datasets

import (
	"context"
	"io"
)

// A Getter returns the body of the file at an address; whoever calls it closes the body. download.HTTP returns one.
// Programs that simulate need none, and then link no network: what Open is to download must be in the cache or be given.
type Getter func(ctx context.Context, address string) (io.ReadCloser, error)

type getterKey struct{}

// WithGetter returns a context by which Kind.Open and Kind.Fetch find what downloads.
func WithGetter(ctx context.Context, get Getter) context.Context {
	return context.WithValue(ctx, getterKey{}, get)
}

// GetterOf returns the getter of a context, nil if it has none.
func GetterOf(ctx context.Context) Getter {
	get, _ := ctx.Value(getterKey{}).(Getter)
	return get
}
