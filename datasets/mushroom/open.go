package mushroom

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"banditsim/datasets/mushroom/replica"
)

// Values of --data other than paths.
const (
	SpecAuto    = "auto"
	SpecUCI     = "uci"
	SpecReplica = "replica"
)

// cure ends the errors of uci and of Fetch.
const cure = "set " + EnvVar + " to the file, pass --data PATH, or use --data replica"

// Open returns the data that spec asks for:
//
//	auto     $BANDITSIM_DATA if set, else the cache, else a download into the
//	         cache, else the replica, with the reason in Table.Warning
//	uci      the same without the replica, and the UCI file only
//	replica  the embedded replica
//	PATH     this file, or UCIFile in this folder
//
// $BANDITSIM_DATA is a path too; if it is set and has no data, that is an error. A path may lead to
// a file other than UCI's, except with uci; Table.Source and Table.SHA256 record which. A file
// called auto, uci or replica is reached as ./auto and so on.
func Open(ctx context.Context, spec string, o OpenOptions) (*Table, error) {
	t, err := o.open(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("mushroom: open --data %s: %w", spec, err)
	}
	return t, nil
}

// Verify finds the data as Open does, downloads nothing, and returns an error unless they have the
// SHA-256 of the replica, with replica, or else of the UCI file.
func Verify(ctx context.Context, spec string, o OpenOptions) (*Table, error) {
	t, err := o.verify(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("mushroom: verify --data %s: %w", spec, err)
	}
	return t, nil
}

// Replica returns the embedded replica, with a Warning.
func Replica() (*Table, error) {
	t, err := parse(replica.CSV(), "replica", UCISHA256)
	if err != nil {
		return nil, fmt.Errorf("mushroom: make the replica: %w", err)
	}
	if t.Source != SourceReplica {
		return nil, fmt.Errorf("mushroom: make the replica: SHA-256 %s, want %s", t.SHA256, replica.SHA256)
	}
	t.Warning = "the data are the embedded replica, not the UCI file"
	return t, nil
}

func (o OpenOptions) open(ctx context.Context, spec string) (*Table, error) {
	switch spec {
	case SpecReplica:
		return Replica()
	case SpecAuto, SpecUCI:
		if path := o.Getenv(EnvVar); path != "" {
			return o.openEnv(ctx, path, spec)
		}
		return o.openCacheOrDownload(ctx, spec)
	default:
		return o.openPath(ctx, spec)
	}
}

func (o OpenOptions) openPath(ctx context.Context, path string) (*Table, error) {
	if path == "" {
		return nil, errors.New("want auto, uci, replica or a path")
	}
	t, err := readFile(ctx, path, o.SHA256)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (want auto, uci, replica or a path)", err)
	}
	if err == nil && t.Source != SourceUCI {
		t.Warning = o.otherThanUCI(t)
	}
	return t, err
}

func (o OpenOptions) openEnv(ctx context.Context, path, spec string) (*Table, error) {
	t, err := o.openPath(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("$%s: %w", EnvVar, err)
	}
	if spec == SpecUCI && t.Source != SourceUCI {
		return nil, fmt.Errorf("$%s: %s; %s", EnvVar, t.Warning, cure)
	}
	return t, nil
}

func (o OpenOptions) openCacheOrDownload(ctx context.Context, spec string) (*Table, error) {
	var notes []string // errors that are not fatal
	t, err := o.cached(ctx)
	if err == nil {
		return t, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		notes = append(notes, err.Error())
	}

	err = nil
	if spec == SpecAuto {
		err = o.recentFailure()
	}
	var data []byte
	if err == nil {
		t, data, err = o.download(ctx)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // stopped by the user: not a reason for the replica
	}
	if err == nil {
		if err := o.store(data); err != nil {
			notes = append(notes, "the download is not kept: "+err.Error())
		}
		t.Warning = strings.Join(notes, "; ")
		return t, nil
	}

	notes = append(notes, err.Error())
	if spec == SpecUCI {
		return nil, fmt.Errorf("%s; %s", strings.Join(notes, "; "), cure)
	}
	t, err = Replica()
	if err != nil {
		return nil, err
	}
	t.Warning += ": " + strings.Join(notes, "; ")
	return t, nil
}

func (o OpenOptions) verify(ctx context.Context, spec string) (*Table, error) {
	if spec == SpecReplica {
		return Replica() // checks the hash itself
	}
	path := spec
	if spec == SpecAuto || spec == SpecUCI {
		path = o.Getenv(EnvVar)
		if path == "" {
			t, err := o.cached(ctx)
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("there is nothing to verify: $%s is not set and the cache is empty (fetch the file with: banditsim data fetch)", EnvVar)
			}
			return t, err
		}
	}
	t, err := o.openPath(ctx, path)
	if err == nil && t.Source != SourceUCI {
		return nil, errors.New(t.Warning)
	}
	return t, err
}

func (o OpenOptions) otherThanUCI(t *Table) string {
	return fmt.Sprintf("%s is not the UCI file: SHA-256 %s, want %s", t.Path, t.SHA256, o.SHA256)
}
