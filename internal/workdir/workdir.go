// Package workdir carries a working folder and environment variables in a context, so that several command lines can
// run in one process, each in a folder of its own.
package workdir

import (
	"context"
	"os"
	"path/filepath"
)

type key struct{}

type place struct {
	dir    string
	getenv func(string) string
}

// With returns a context with environment variables from getenv and working folder dir, or this process's if dir is "".
func With(ctx context.Context, dir string, getenv func(string) string) context.Context {
	return context.WithValue(ctx, key{}, place{dir, getenv})
}

// Path returns path in the working folder of ctx; see Join.
func Path(ctx context.Context, path string) string {
	p, _ := ctx.Value(key{}).(place)
	return Join(p.dir, path)
}

// Getenv returns an environment variable from the getenv in ctx, or of this process if ctx has none.
func Getenv(ctx context.Context, name string) string {
	if p, ok := ctx.Value(key{}).(place); ok {
		return p.getenv(name)
	}
	return os.Getenv(name)
}

// Join returns path in the folder dir, or path itself if it is absolute or empty, or if dir is "".
func Join(dir, path string) string {
	if dir == "" || path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
