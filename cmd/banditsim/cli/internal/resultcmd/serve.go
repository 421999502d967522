package resultcmd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/cmd/banditsim/cli/internal/live"
	"banditsim/internal/exit"
	"banditsim/results"
	"banditsim/results/page"
	"banditsim/results/page/serve"
)

func serveFlag(cmd *cobra.Command, address *string) {
	cmd.Flags().StringVar(address, "serve", "", "serve the page on this machine at `ADDR`, and follow a run until it has ended, or Ctrl-C")
	cmd.Flags().Lookup("serve").NoOptDefVal = "127.0.0.1:0"
}

// checkServe rejects what --serve ignores.
func checkServe(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return errors.New("--serve shows one folder (an address is joined with =, such as --serve=127.0.0.1:8080)")
	}
	var ignored error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"serve", "every", "log"}, f.Name) && ignored == nil {
			ignored = fmt.Errorf("--serve serves the page of the whole folder: leave out --%s", f.Name)
		}
	})
	return ignored
}

// farewell bounds how long browsers may take to load the last page of a run that has ended.
const farewell = 10 * time.Second

// serve serves the page of a folder until the run that works in it has ended or until an interrupt, which is not a failure.
func (a App) serve(ctx context.Context, dir, address, log string, every time.Duration) error {
	listens, err := serve.Address(address)
	if err != nil {
		return exit.Usage(fmt.Errorf("--serve=%s: %w", address, err))
	}
	o, err := a.pageOptions(ctx, log)
	if err != nil {
		return err
	}
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	listener, err := net.Listen("tcp", listens)
	if err != nil {
		return fmt.Errorf("--serve=%s: %w: choose another port, or leave it out for a free one", address, err)
	}
	server := serve.New(page.Policy(true), func(version string) ([]byte, error) {
		b, err := a.servedPage(dir, version, o)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, errors.New("there is no such folder of results yet")
		case errors.Is(err, results.ErrNoTrials):
			return nil, errors.New("there is no finished trial yet")
		case err != nil:
			a.Warn("no page: %v", err)
			return nil, errors.New(page.WithoutFolders(err.Error()))
		}
		return b, nil
	})
	web := server.HTTP()
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	fmt.Fprintf(a.Stderr, "page         http://%s/\n", listener.Addr())
	idle := false
	ended, err := live.Follow(ctx, dir, every, func(now live.Look) error {
		server.Set(fmt.Sprintf("%.8x", sha256.Sum256([]byte(now.State))))
		if now.Idle && !idle {
			fmt.Fprintln(a.Stderr, dir+": no run works in this folder: waiting for one, until Ctrl-C")
		}
		idle = now.Idle
		select {
		case err := <-served:
			return err
		default:
			return nil
		}
	})
	if err != nil || !ended {
		return cmp.Or(err, web.Close())
	}
	fmt.Fprintln(a.Stderr, "the run has ended")
	last, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	server.End(last)
	if err := web.Shutdown(last); err != nil { // a browser that takes no more
		web.Close()
	}
	sets, err := a.Load(dir, false)
	if err != nil {
		return err
	}
	return folder.Incomplete(sets)
}

// servedPage returns the page of a folder.
func (a App) servedPage(dir, version string, o page.Options) (html []byte, err error) {
	sets, err := results.LoadMixed(dir)
	if err != nil {
		return nil, err
	}
	if err := a.CheckMixed(dir, sets, false); err != nil {
		return nil, err
	}
	o.Served = version
	_, err = a.LeaveOut(sets, func(sets []*results.Set) (err error) {
		if o.Log != nil && len(sets) > 1 {
			return errSeveral
		}
		html, err = page.Render(sets, o)
		return err
	})
	return html, err
}
