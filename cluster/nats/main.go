// Command nats runs one trial with its chains divided among several processes, on one machine or on many. The processes
// exchange messages through a NATS server. The trial's file has the same bytes as the file that 'banditsim run' writes.
//
// Start a NATS server, then one process for each rank, with the same key, experiment, trial and number of ranks. Rank 0
// writes the file. Keep the key secret: whoever has it can take part in the run.
//
//	export BANDITSIM_NATS_KEY=$(openssl rand -hex 32)
//	go run github.com/nats-io/nats-server/v2 -a 127.0.0.1
//	go run . --rank 1 --ranks 4 --policies pICSGLD quick
//	go run . --rank 2 --ranks 4 --policies pICSGLD quick
//	go run . --rank 3 --ranks 4 --policies pICSGLD quick
//	go run . --rank 0 --ranks 4 --policies pICSGLD --out out/nats quick
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"banditsim/bandit/experiment"
	"banditsim/bandit/plugin"
	"banditsim/cmd/banditsim/builtin"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options are the flags of the command.
type options struct {
	settings
	url, creds         string
	ca, cert, key      string
	secret             string
	trial, data, seeds string
	policies, out      string
	set                []string
}

// settings are the options of a link.
type settings struct {
	rank, ranks int           // rank of this process, and number of ranks
	limit       time.Duration // a rank that is silent for longer is lost
	patience    time.Duration // time within which all ranks must join
	progress    time.Duration // time within which a step must end
	checkpoint  int           // rounds between two checkpoints; 0 for none
}

// run runs the command line args and returns the exit code, as for 'banditsim run': 0 for success, 1 for an error, 2
// for a usage error, 3 if the trial has failed, 75 if a rank was interrupted and the same commands continue the trial.
func run(args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("nats", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rank, "rank", 0, "rank of this process, from 0; rank 0 writes the trial's file")
	flags.IntVar(&o.ranks, "ranks", 0, "number of processes, at most the number of chains")
	flags.StringVar(&o.url, "url", nats.DefaultURL, "NATS server; tls://HOST:PORT asks for TLS")
	flags.StringVar(&o.creds, "creds", "", "file with NATS credentials")
	flags.StringVar(&o.ca, "ca", "", "file with the certificate of the server's authority")
	flags.StringVar(&o.cert, "cert", "", "file with this client's certificate, with --key")
	flags.StringVar(&o.key, "key", "", "file with the key of --cert")
	flags.DurationVar(&o.limit, "limit", 5*time.Second, "time without a sign of life after which a rank is lost")
	flags.StringVar(&o.secret, "secret", "", "file with the key of the run's messages, the same for all ranks (default: "+keyVariable+" of the environment)")
	flags.DurationVar(&o.progress, "progress", 10*time.Minute, "time in which a step of all ranks must end")
	flags.DurationVar(&o.patience, "patience", time.Minute, "time in which all ranks must join")
	flags.IntVar(&o.checkpoint, "checkpoint", 100, "rounds between checkpoints of rank 0, from which the same commands go on; 0: none")
	flags.StringVar(&o.trial, "trial", "", "ID of the trial, if the experiment has several")
	flags.StringVar(&o.policies, "policies", "", "policies of the experiment, separated by commas")
	flags.StringVar(&o.seeds, "seeds", "", "seeds, such as 7")
	flags.StringVar(&o.data, "data", "", "data, as of 'banditsim run'")
	flags.StringVar(&o.out, "out", "", "output folder of rank 0 (default out/<experiment>-nats)")
	flags.Func("set", "change an option: key=value (repeatable)", func(s string) error { o.set = append(o.set, s); return nil })
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: nats --rank R --ranks N [flags] PRESET|FILE.yaml")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() != 1 || o.ranks < 2 || o.rank < 0 || o.rank >= o.ranks || o.limit < 100*time.Millisecond || o.progress < o.limit || o.checkpoint < 0 {
		fmt.Fprintf(stderr, "nats: want an experiment, at least 2 ranks (--ranks is %d), --rank from 0 to below that (it is %d), a --limit of at least 100ms (it is %v), a --progress of at least that (it is %v) and a --checkpoint of at least 0 (it is %d)\n",
			o.ranks, o.rank, o.limit, o.progress, o.checkpoint)
		return 2
	}
	key, err := o.messageKey(os.Getenv(keyVariable))
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the next signal ends the process
	err = o.run(ctx, flags.Arg(0), key, stdout, stderr)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "rank %d: %v\n", o.rank, err)
	switch {
	case errors.Is(err, errFailed):
		return 3
	case errors.Is(err, errInterrupted):
		return 75
	}
	return 1
}

// keyVariable is the name of the environment variable with the key of the run's messages.
const keyVariable = "BANDITSIM_NATS_KEY"

// minKey is the smallest length of a key in bytes.
const minKey = 16

// messageKey returns the key of the message authentication codes, without surrounding white space: the content of the
// file that --secret names or, without that flag, the argument variable, the value of environment variable keyVariable.
func (o *options) messageKey(variable string) ([]byte, error) {
	from, text := keyVariable, variable
	if o.secret != "" {
		b, err := os.ReadFile(o.secret)
		if err != nil {
			return nil, fmt.Errorf("nats: --secret: %w", err)
		}
		from, text = "--secret "+o.secret, string(b)
	}
	key := strings.TrimSpace(text)
	if key == "" {
		return nil, fmt.Errorf("nats: no key: without one, whoever reaches the server could forge messages: set %s, or --secret FILE, to the same for all ranks, such as the output of 'openssl rand -hex 32'", keyVariable)
	}
	if len(key) < minKey {
		return nil, fmt.Errorf("nats: %s: a key of %d bytes, want at least %d, such as the output of 'openssl rand -hex 32'", from, len(key), minKey)
	}
	return []byte(key), nil
}

// run runs this rank of the trial, and prints its times and traffic to stdout. name is a preset or an experiment file.
func (o *options) run(ctx context.Context, name string, key []byte, stdout, stderr io.Writer) error {
	catalog := builtin.Default().WithPlugins(plugin.Processes{})
	e, err := o.experiment(catalog, name)
	if err != nil {
		return err
	}
	plan, err := one(ctx, catalog, e, o.trial)
	if err != nil {
		return err
	}
	cell := plan.Cells[0]
	warn := func(text string) { fmt.Fprintf(stderr, "rank %d: warning: %s\n", o.rank, text) }
	conn, err := o.connect(warn)
	if err != nil {
		return err
	}
	defer conn.Close()
	l, err := newLink(ctx, conn, cell.ID(), o.settings, key, warn)
	if err != nil {
		return err
	}
	if err := play(plan, l, cmp.Or(o.out, filepath.Join("out", e.Name+"-nats"))); err != nil {
		return err
	}
	n, steps := conn.Stats(), float64(l.steps)
	_, err = fmt.Fprintf(stdout, "rank %d: %s seed %d: %d steps of all chains in %.1fs, %.0f a second; %d bytes received, %d sent, %.0f for each step of a chain; %d messages refused\n",
		o.rank, cell.FullLabel(), cell.Seed, l.steps, l.took.Seconds(), steps/l.took.Seconds(),
		n.InBytes, n.OutBytes, float64(n.InBytes+n.OutBytes)/max(steps, 1), l.refused)
	return err
}

// experiment returns the preset or the experiment file with the given name, changed by the flags.
func (o *options) experiment(catalog *experiment.Catalog, name string) (e experiment.Experiment, err error) {
	read := catalog.Preset
	if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
		read = catalog.ReadFile
	}
	if e, err = read(name); err != nil {
		return e, err
	}
	if o.seeds != "" {
		if e.Seeds, err = experiment.ParseSeeds(o.seeds); err != nil {
			return e, fmt.Errorf("--seeds: %w", err)
		}
	}
	if o.policies != "" {
		if _, err := e.Select(strings.Split(o.policies, ",")); err != nil {
			return e, fmt.Errorf("--policies: %w", err)
		}
	}
	if o.data != "" {
		if err := e.SetData(o.data); err != nil {
			return e, fmt.Errorf("--data %w", err)
		}
	}
	for _, s := range o.set {
		setting, err := experiment.ParseSetting(s)
		if err != nil {
			return e, err
		}
		e.Settings = append(e.Settings, setting)
	}
	return e, nil
}

// connect connects to the server. If the function exposed returns a warning, connect passes it to warn.
func (o *options) connect(warn func(string)) (*nats.Conn, error) {
	list := []nats.Option{nats.Name(fmt.Sprintf("banditsim rank %d", o.rank)), nats.NoReconnect(), nats.Timeout(o.limit)}
	if o.creds != "" {
		list = append(list, nats.UserCredentials(o.creds))
	}
	if o.ca != "" {
		list = append(list, nats.RootCAs(o.ca))
	}
	if o.cert != "" || o.key != "" {
		list = append(list, nats.ClientCert(o.cert, o.key))
	}
	conn, err := nats.Connect(o.url, list...)
	if err != nil {
		where := password.ReplaceAllString(o.url, "${1}xxxxx@")
		return nil, fmt.Errorf("nats: connect to %s: %w: is a NATS server running there?", where, err)
	}
	server, err := url.Parse(conn.ConnectedUrl())
	if err != nil {
		return nil, err
	}
	_, err = conn.TLSConnectionState()
	if text := exposed(server.Hostname(), err == nil, conn.AuthRequired() || o.cert != ""); text != "" {
		warn(text)
	}
	return conn, nil
}

// password matches the user and password of a URL, from "//" to "@". The submatch is the part before the password.
var password = regexp.MustCompile(`(//[^/:]*:)[^/,]*@`)

// exposed returns a warning if the server is on another host and lacks encryption or credentials, else "".
func exposed(host string, encrypted, credentials bool) string {
	ip := net.ParseIP(host)
	switch {
	case host == "localhost" || ip != nil && ip.IsLoopback():
	case !encrypted:
		return fmt.Sprintf("the connection to %s is not encrypted: anyone on the way can read the messages: use tls:// with --ca", host)
	case !credentials:
		return fmt.Sprintf("the server on %s takes anyone: whoever reaches it can read the messages and flood the ranks: set up credentials there and give --creds or --cert", host)
	}
	return ""
}
