package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit/agent"
	"banditsim/internal/exit"
	"banditsim/internal/usage"
	"banditsim/internal/words"
)

type actFlags struct {
	log  string
	sync agent.Sync
	save string
}

func (a *app) actCommand() *cobra.Command {
	f := actFlags{sync: agent.Sync(time.Second)}
	cmd := &cobra.Command{
		Use:   "act AGENT",
		Short: "Choose arms for contexts, and learn their rewards, line by line",
		Long: `Choose arms for contexts, and learn their rewards. Standard input and output are JSON lines:

  {"context": {"age": 41, "country": "us"}}     {"id":1,"arm":"b","propensity":0.31}
  {"id": 1, "reward": 1}                        {"id":1,"learned":true}

Each line is answered by one, in order; a wrong one by {"line": N, "error": …}, and nothing changes.
A reward may come at any time after its decision, once.

With --log every decision and reward is written before it is answered. The same command goes on where
the last one ended, however that was: it replays the log, of which nothing that was answered is lost
when the process is killed. 'banditsim evaluate' and 'banditsim learn' read the log.`,
		Example: `  banditsim act shop.agent --log shop.jsonl
  banditsim act shop.agent --log shop.jsonl --sync 100 --save shop.agent`,
		Args: usage.Count(1, 1),
	}
	cmd.RunE = interruptible(func(ctx context.Context, args []string) error {
		return a.act(ctx, &f, args[0])
	})
	flags := cmd.Flags()
	flags.StringVar(&f.log, "log", "", "file of decisions and rewards, which is made or continued (default none: a process that ends has learned nothing)")
	usage.Parsed(flags, &f.sync, "sync", "1000", "when what was answered is safe from a power failure: always, off, or after at most so many milliseconds (a killed process loses nothing in any case)", parseSync)
	usage.Needs(cmd, "sync", "log")
	flags.StringVar(&f.save, "save", "", "save the agent to FILE at the end, from which the next start replays less of the log; it may be AGENT")
	return cmd
}

func parseSync(text string) (agent.Sync, error) {
	switch text {
	case "always":
		return agent.SyncAlways, nil
	case "off":
		return agent.SyncNever, nil
	}
	ms, err := strconv.Atoi(text)
	if err != nil || ms < 1 || ms > 3_600_000 {
		return 0, fmt.Errorf("%q, want always, off or a number of milliseconds, 1 to 3600000", text)
	}
	return agent.Sync(time.Duration(ms) * time.Millisecond), nil
}

// actor is an agent with or without a journal.
type actor interface {
	Choose(c agent.Context, among ...string) (agent.Choice, error)
	Learn(id uint64, reward float64) error
}

func (a *app) act(ctx context.Context, f *actFlags, path string) (err error) {
	const size = 1 << 16
	in := &untilDone{ctx, cmp.Or[io.Reader](a.Stdin, strings.NewReader("")), make([]byte, size)}
	of, err := agent.Open(a.Path(path))
	if err != nil {
		return exit.Usage(err)
	}
	l := &actLoop{agent: of, commit: func() error { return nil }, in: bufio.NewReaderSize(in, size), out: a.data}
	closed := func() error { return nil }
	if f.log != "" {
		journal, found, err := agent.OpenJournal(of, a.Path(f.log), f.sync)
		if err != nil {
			return exit.Usage(err)
		}
		l.agent, l.commit, closed = journal, journal.Commit, journal.Close
		if found.Decisions+found.Rewards > 0 {
			fmt.Fprintf(a.Stderr, "%s: replayed %s and %s\n", words.Plain(f.log), words.Count(found.Decisions, "decision"), words.Count(found.Rewards, "reward"))
		}
		if found.Torn > 0 {
			a.warn("%s: cut a last line without an end, of %s: nobody was told of what it had", f.log, words.Count(found.Torn, "byte"))
		}
	}
	if f.save != "" { // checked after OpenJournal, which makes the log, so that --save with the path of the log is refused
		if err := checkAgent(a.Path(f.save)); err != nil {
			return errors.Join(err, closed())
		}
	}
	err = l.run(ctx)
	if wrong := closed(); wrong != nil { // an agent with decisions that the log lacks could not be used with this log again
		return errors.Join(err, fmt.Errorf("%w: what was answered is in the log, from which the same command goes on; no agent was saved", wrong))
	}
	if f.save != "" {
		err = errors.Join(err, of.Save(a.Path(f.save)))
	}
	return err
}

// untilDone is a reader that ends when ctx is done, so that a signal ends an input on which Read waits.
type untilDone struct {
	ctx    context.Context
	in     io.Reader
	buffer []byte // in.Read gets this slice, not that of the caller, because in.Read may go on after ctx is done
}

func (r *untilDone) Read(p []byte) (int, error) {
	p = p[:min(len(p), len(r.buffer))]
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := r.in.Read(r.buffer[:len(p)])
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, r.buffer[:got.n]), got.err
	case <-r.ctx.Done():
		return 0, io.EOF
	}
}

// actLoop reads lines from its field in, and writes an answer to each line to its field out.
type actLoop struct {
	agent   actor
	commit  func() error
	in      *bufio.Reader
	out     io.Writer
	line    int          // number of lines read
	answers bytes.Buffer // answers that are not written yet
}

// maxAnswers is in bytes. If the answers are longer, the method run writes them, even if further lines are buffered.
const maxAnswers = 1 << 16

// run answers lines until the input ends or ctx is done, buffered lines together, with one write of the journal.
func (l *actLoop) run(ctx context.Context) error {
	for {
		text, err := l.in.ReadBytes('\n')
		if err == nil || len(bytes.TrimSpace(text)) > 0 {
			l.line++
			v, err := l.do(text)
			if err != nil {
				v = wrongLine{l.line, err.Error()}
			}
			json.NewEncoder(&l.answers).Encode(v) // never fails
		}
		if err != nil || l.in.Buffered() == 0 || l.answers.Len() > maxAnswers {
			if wrong := l.flush(); wrong != nil {
				return wrong
			}
		}
		switch {
		case err == io.EOF || ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
	}
}

// wrongLine answers a wrong line, which changes nothing, and every line for which the log could not be written.
type wrongLine struct {
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// learnedLine is the answer to a reward.
type learnedLine struct {
	ID      uint64 `json:"id"`
	Learned bool   `json:"learned"`
}

// do returns the answer to a line of input.
func (l *actLoop) do(text []byte) (any, error) {
	var ask struct {
		Context agent.Context `json:"context"`
		Arms    []string      `json:"arms"`
		ID      *uint64       `json:"id"`
		Reward  *float64      `json:"reward"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&ask)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // wrong.Error() would name Go types
		err = fmt.Errorf("%s: a JSON %s", cmp.Or(wrong.Field, "the line"), wrong.Value)
	}
	if _, end := d.Token(); err == nil && end != io.EOF {
		err = errors.New("the line does not end after the first object")
	}
	if err != nil {
		return nil, fmt.Errorf(`%w: want {"context": {…}}, or {"id": N, "reward": R}`, err)
	}
	switch {
	case ask.Arms != nil && len(ask.Arms) == 0:
		return nil, errors.New("arms: none can be chosen: want at least one, or leave arms out for all")
	case ask.Context != nil && ask.ID == nil && ask.Reward == nil:
		return l.agent.Choose(ask.Context, ask.Arms...)
	case ask.Context == nil && ask.ID != nil && ask.Reward != nil:
		return learnedLine{*ask.ID, true}, l.agent.Learn(*ask.ID, *ask.Reward)
	}
	return nil, errors.New(`want {"context": {…}}, or {"id": N, "reward": R}`)
}

// flush commits the decisions and rewards of the answers, and writes the answers. If the commit fails, it writes the
// error in place of each answer and returns nil; the journal keeps the entries for the next commit.
func (l *actLoop) flush() error {
	if l.answers.Len() == 0 {
		return nil
	}
	if err := l.commit(); err != nil {
		n := bytes.Count(l.answers.Bytes(), []byte("\n")) // one line each
		l.answers.Reset()
		for ; n > 0; n-- {
			json.NewEncoder(&l.answers).Encode(wrongLine{l.line - n + 1, "not written yet, do not count on it: " + err.Error()})
		}
	}
	_, err := l.answers.WriteTo(l.out)
	return err
}
