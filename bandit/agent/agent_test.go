package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/agent"
	"banditsim/bandit/stream"
	"banditsim/internal/kinds"
	"banditsim/internal/must"
)

var columns = []bandit.Column{
	{Name: "age", Mean: 40, SD: 10, Missing: true},
	{Name: "country", Values: []string{"us", "de", "fr"}},
	{Name: "visits"},
}

func config(policy, options string) agent.Config {
	c := agent.Config{Policy: policy, Arms: []string{"a", "b", "c"}, Columns: columns, Horizon: 2000, Round: 20, Seed: 3}
	if options != "" {
		c.Options = []byte(options)
	}
	return c
}

// A world draws contexts, and rewards whose mean is 1 for the arm of the country.
type world struct{ *stream.Stream }

func newWorld() world { return world{stream.Root(7)} }

func (w world) context() agent.Context {
	c := agent.Context{"age": 20 + 40*w.Float64(), "country": columns[1].Values[w.IntN(3)], "visits": w.IntN(5)}
	if w.IntN(10) == 0 {
		c["age"] = nil
	}
	return c
}

func (w world) reward(c agent.Context, arm string) float64 {
	mean := 0.0
	if c["country"] == map[string]string{"a": "us", "b": "de", "c": "fr"}[arm] {
		mean = 1
	}
	return mean + w.Float64() - 0.5
}

// both has the methods that agents and journals have in common.
type both interface {
	Choose(c agent.Context, among ...string) (agent.Choice, error)
	Learn(id uint64, reward float64) error
}

// play makes n decisions and returns them as strings. Most get a reward, after up to ten other decisions. Before each, open, if not nil,
// returns the agent or journal to go on with.
func play(t *testing.T, a both, n int, open func(int) both) (list []string) {
	t.Helper()
	w := newWorld()
	waiting := map[uint64]float64{}
	for i := range n {
		if open != nil {
			a = open(i)
		}
		c := w.context()
		choice := must.Get(a.Choose(c))(t)
		list = append(list, fmt.Sprint(choice))
		waiting[choice.ID] = w.reward(c, choice.Arm)
		for _, id := range slices.Sorted(maps.Keys(waiting)) {
			if w.IntN(3) == 0 || id+10 < choice.ID {
				must.OK(t, a.Learn(id, waiting[id]))
				delete(waiting, id)
			}
		}
	}
	return list
}

// TestRestored checks with every policy of the catalog, with small networks, that an agent that is saved and opened while rewards are
// pending chooses as one that was not, and so does one that replays its journal.
func TestRestored(t *testing.T) {
	for _, part := range kinds.All() {
		for _, entry := range part.Policies {
			t.Run(entry.Name, func(t *testing.T) {
				t.Parallel()
				c := config(entry.Name, "")
				if strings.Contains(fmt.Sprintf("%+v", entry.Defaults), "Hidden:") {
					c.Options = []byte(`{"posterior":{"hidden":[5],"steps":2,"batch":4}}`)
				}
				a, err := agent.New(c)
				if entry.Name == "Oracle" || entry.Name == "Supervised" {
					must.Fail(t, err, "sees the rewards of all arms")
					return
				}
				if err != nil { // this policy has the options of its network elsewhere
					c.Options = nil
					a = must.Get(agent.New(c))(t)
				}
				want := play(t, a, 120, nil)
				dir := t.TempDir()
				path, log := filepath.Join(dir, "a.agent"), filepath.Join(dir, "log.jsonl")
				must.OK(t, must.Get(agent.New(c))(t).Save(path))
				var j *agent.Journal
				b := must.Get(agent.Open(path))(t)
				got := play(t, b, 120, func(i int) both {
					if i%13 == 5 {
						must.OK(t, b.Save(path))
						b = must.Get(agent.Open(path))(t)
					}
					return b
				})
				if !slices.Equal(got, want) {
					t.Fatal("an agent that was restored chooses other arms")
				}
				got = play(t, j, 120, func(i int) both {
					if i%40 == 0 {
						if j != nil {
							must.OK(t, j.Close())
						}
						b = must.Get(agent.New(c))(t)
						var err error
						j, _, err = agent.OpenJournal(b, log, agent.SyncNever)
						must.OK(t, err)
					}
					return j
				})
				if !slices.Equal(got, want) {
					t.Fatal("an agent that replays its journal chooses other arms")
				}
			})
		}
	}
}

// TestBadInput checks that wrong contexts, IDs and rewards are errors that say what is wrong, and change nothing.
func TestBadInput(t *testing.T) {
	a, b := must.Get(agent.New(config("LinTS", `{"explore":0.1}`)))(t), must.Get(agent.New(config("LinTS", `{"explore":0.1}`)))(t)
	good := agent.Context{"age": 30, "country": "us", "visits": 2}
	with := func(name string, v any) agent.Context {
		c := maps.Clone(good)
		c[name] = v
		return c
	}
	without := maps.Clone(good)
	delete(without, "age")
	for want, c := range map[string]agent.Context{
		`the context has a "agee", which the agent does not know (did you mean age?)`: with("agee", 1),
		`the context has no "age": want a value, or null if it is missing`:            without,
		`"age": NaN, want a number that is finite, or null if it is missing`:          with("age", math.NaN()),
		`"age": "forty" is no number`:                                                 with("age", "forty"),
		`"age": 41 is no number but of type float32: want a float64`:                  with("age", float32(41)),
		`"age": 3e+38, want a number that is at most 1e+18 from 0 once standardized`:  with("age", 3e38),
	} {
		_, err := a.Choose(c)
		must.Fail(t, err, want)
	}
	choice := must.Get(a.Choose(with("country", "it")))(t)
	must.Equal(t, "unseen", choice.Unseen, []string{"country"})
	for _, reward := range []float64{math.NaN(), math.Inf(1)} {
		must.Fail(t, a.Learn(1, reward), "want a finite number")
	}
	must.OK(t, a.Learn(1, 1))
	must.Is(t, a.Learn(1, 1), agent.ErrLearned)
	must.Is(t, a.Learn(9, 1), agent.ErrUnknownID)
	must.Get(b.Choose(with("country", "it")))(t)
	must.OK(t, b.Learn(1, 1))
	must.Equal(t, "the choice after errors", must.Get(a.Choose(good))(t), must.Get(b.Choose(good))(t))
	for want, c := range map[string]agent.Config{
		`with the values "\xe9", want text in UTF-8`:   {Policy: "LinTS", Arms: []string{"a", "b"}, Columns: []bandit.Column{{Name: "c", Values: []string{"\xe9"}}}},
		`column c has no values, want at least one`:    {Policy: "LinTS", Arms: []string{"a", "b"}, Columns: []bandit.Column{{Name: "c", Values: []string{}}}},
		`unknown policy "LinTs" (did you mean LinTS?)`: config("LinTs", ""),
		`options of LinTS: `:                           config("LinTS", `{"explor":1}`),
		`explore: 2, want 0 to 1`:                      config("LinTS", `{"explore":2}`),
	} {
		_, err := agent.New(c)
		must.Fail(t, err, want)
	}
}

// TestID checks that the ID depends on every row that the agent learned from, whether or not it was asked for before.
func TestID(t *testing.T) {
	a, b := must.Get(agent.New(config("LinTS", "")))(t), must.Get(agent.New(config("LinTS", "")))(t)
	first, row := must.Get(a.ID())(t), []float32{1, 0, 1, 0, 0, 0}
	must.OK(t, a.LearnRow(row, 0, 1))
	must.OK(t, b.LearnRow(row, 0, 1))
	got, want := must.Get(a.ID())(t), must.Get(b.ID())(t)
	must.That(t, got == want && got != first, "ID %s after %s and a row, want %s", got, first, want)
}

// TestDamaged checks that a file with a flipped bit, of another version or of another kind is an error.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.agent")
	a := must.Get(agent.New(config("LinUCB", "")))(t)
	play(t, a, 20, nil)
	must.OK(t, a.Save(path))
	good := must.Get(os.ReadFile(path))(t)
	for i := 0; i < len(good); i += 1 + len(good)/500 {
		bad := slices.Clone(good)
		bad[i] ^= 1 << (i % 8)
		must.OK(t, os.WriteFile(path, bad, 0o666))
		_, err := agent.Open(path)
		must.That(t, err != nil, "byte %d: a flipped bit is not found", i)
	}
	for text, want := range map[string]string{
		strings.Replace(string(good), "agent 2", "agent 1", 1): "an agent of version 1, this program reads version 2",
		"arm,reward\n":         "this is no agent",
		string(good[:200]):     "damaged",
		string(good) + "extra": "damaged",
	} {
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := agent.Open(path)
		must.Fail(t, err, want)
	}
}

// TestJournal checks that a torn last line is removed, and that an invalid line, another agent's journal and one in use are errors.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log.jsonl")
	start := func() *agent.Agent { return must.Get(agent.New(config("LinTS", `{"explore":0.1}`)))(t) }
	j, _, err := agent.OpenJournal(start(), path, agent.SyncAlways)
	must.OK(t, err)
	play(t, j, 50, nil)
	_, _, err = agent.OpenJournal(start(), path, agent.SyncAlways)
	must.Fail(t, err, "another process writes it")
	must.OK(t, j.Close())
	good := string(must.Get(os.ReadFile(path))(t))

	must.OK(t, os.WriteFile(path, []byte(good+`{"id":51,"cont`), 0o666))
	j, replayed, err := agent.OpenJournal(start(), path, agent.SyncNever)
	must.OK(t, err)
	must.That(t, replayed.Torn == 14 && replayed.Decisions == 50 && replayed.Rewards != 0,
		"%+v, want 14 bytes torn and 50 decisions", replayed)
	must.OK(t, j.Close())
	must.Equal(t, "the journal without the torn line", string(must.Get(os.ReadFile(path))(t)), good)

	_, _, err = agent.OpenJournal(must.Get(agent.New(config("LinUCB", "")))(t), path, agent.SyncNever)
	must.Fail(t, err, "line 1: the journal is of agent", "(LinTS)", "(LinUCB)")
	lines := strings.SplitAfter(good, "\n")
	lines[3] = "nonsense\n"
	must.OK(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666))
	_, _, err = agent.OpenJournal(start(), path, agent.SyncNever)
	must.Fail(t, err, "line 4: neither a decision nor a reward")
	must.OK(t, os.WriteFile(path, []byte(good+good), 0o666))
	_, _, err = agent.OpenJournal(start(), path, agent.SyncNever)
	must.Fail(t, err, "are two files joined here?")
	must.OK(t, os.WriteFile(path, []byte(strings.Replace(good, `"arm":"a"`, `"arm":"b"`, 1)), 0o666))
	_, _, err = agent.OpenJournal(start(), path, agent.SyncNever)
	must.Fail(t, err, "the agent chooses a with")
	for _, other := range []string{"mine", `{"journal":1,"agent":"mine`} { // files of other kinds, without a newline
		must.OK(t, os.WriteFile(path, []byte(other), 0o666))
		_, _, err = agent.OpenJournal(start(), path, agent.SyncNever)
		must.Fail(t, err, "this is no journal of an agent")
		must.Equal(t, "another file", string(must.Get(os.ReadFile(path))(t)), other)
	}
	must.OK(t, os.WriteFile(path, []byte(good[:40]), 0o666))
	j, replayed, err = agent.OpenJournal(start(), path, agent.SyncNever)
	must.That(t, err == nil && replayed.Torn == 40, "%v, %+v, want 40 bytes of a head torn", err, replayed)
	must.OK(t, j.Close())
	_, _, err = agent.OpenJournal(start(), os.DevNull, agent.SyncNever)
	must.Fail(t, err, "not a regular file")
}

// TestReplayFailedTraining checks that a journal with a reward after which the training failed is replayed.
func TestReplayFailedTraining(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "log.jsonl"), config("LMCTS", `{"posterior":{"hidden":[5],"learning_rate":1e15}}`)
	j, _, err := agent.OpenJournal(must.Get(agent.New(c))(t), path, agent.SyncNever)
	must.OK(t, err)
	for range c.Round {
		choice := must.Get(j.Choose(agent.Context{"age": 30, "country": "us", "visits": 2}))(t)
		err = j.Learn(choice.ID, 1)
	}
	must.Fail(t, err, "the energy is not a number")
	must.OK(t, j.Close())
	j, replayed, err := agent.OpenJournal(must.Get(agent.New(c))(t), path, agent.SyncNever)
	must.That(t, err == nil && replayed.Rewards == c.Round, "%v, %+v, want %d rewards", err, replayed, c.Round)
	must.OK(t, j.Close())
}

// TestNumbersAsCategories checks that a journal with categories given as numbers, also large ones, is replayed.
func TestNumbersAsCategories(t *testing.T) {
	c := config("LinTS", `{"explore":0.1}`)
	c.Columns = []bandit.Column{{Name: "zip", Values: []string{"1234567", "2000000", "30", "NaN", "\ufffd"}}, {Name: "n"}}
	path := filepath.Join(t.TempDir(), "log.jsonl")
	j, _, err := agent.OpenJournal(must.Get(agent.New(c))(t), path, agent.SyncNever)
	must.OK(t, err)
	for _, zip := range []any{1234567, json.Number("2000000"), 2e6, 30, 30.0, math.NaN(), "\xe9\xe8", true, nil} { // JSON has no NaN, no \xe9 and no +1
		choice := must.Get(j.Choose(agent.Context{"zip": zip, "n": json.Number("+1")}))(t)
		must.That(t, zip == true || len(choice.Unseen) == 0, "%v is unseen", zip)
		must.OK(t, j.Learn(choice.ID, 1))
	}
	must.OK(t, j.Close())
	j, replayed, err := agent.OpenJournal(must.Get(agent.New(c))(t), path, agent.SyncNever)
	must.OK(t, err)
	must.Equal(t, "replayed", replayed, agent.Replay{Decisions: 9, Rewards: 9})
	must.OK(t, j.Close())
}

// TestConcurrent checks that concurrent decisions and rewards are in the journal once each, and that a replay restores the agent.
func TestConcurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	c := config("LinUCB", `{"explore":0.1}`)
	a := must.Get(agent.New(c))(t)
	j, _, err := agent.OpenJournal(a, path, agent.SyncNever)
	must.OK(t, err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 200 {
				choice, err := j.Choose(agent.Context{"age": 20 + i%40, "country": "us", "visits": 1})
				err = errors.Join(err, j.Commit(), j.Learn(choice.ID, float64(i%2)), j.Commit())
				must.That(t, err == nil, "%v", err)
			}
		})
	}
	all.Wait()
	must.OK(t, j.Close())
	b := must.Get(agent.New(c))(t)
	j, replayed, err := agent.OpenJournal(b, path, agent.SyncNever)
	must.OK(t, err)
	must.OK(t, j.Close())
	must.Equal(t, "replayed", replayed, agent.Replay{Decisions: 1600, Rewards: 1600})
	good := agent.Context{"age": 30, "country": "us", "visits": 2}
	must.Equal(t, "the choice after a replay", must.Get(b.Choose(good))(t), must.Get(a.Choose(good))(t))
}

// BenchmarkDecision times a decision with its reward, for contexts of 20 numbers and 10 arms.
func BenchmarkDecision(b *testing.B) {
	for _, name := range []string{"LinUCB", "LinTS"} {
		b.Run(name, func(b *testing.B) {
			c := agent.Config{Policy: name, Options: []byte(`{"explore":0.05}`), Columns: bandit.NumberColumns(20)}
			for i := range 10 {
				c.Arms = append(c.Arms, fmt.Sprint("arm", i))
			}
			a, err := agent.New(c)
			must.OK(b, err)
			r := stream.Root(1)
			contexts := make([]agent.Context, 1000)
			for i := range contexts {
				contexts[i] = agent.Context{}
				for _, col := range c.Columns {
					contexts[i][col.Name] = r.Float64()
				}
			}
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				choice, err := a.Choose(contexts[i%1000])
				if err == nil {
					err = a.Learn(choice.ID, float64(i%2))
				}
				must.OK(b, err)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}

// TestStart checks that a trial's policy chooses as the agent, if the columns of its environment have another order, moments and values.
func TestStart(t *testing.T) {
	a := must.Get(agent.New(config("LinUCB", "")))(t)
	play(t, a, 300, nil)
	environment := []bandit.Column{{Name: "visits", Mean: 2, SD: 2}, {Name: "other"}, {Name: "country", Values: []string{"fr", "us", "it"}}, {Name: "age", Missing: true}}
	p := must.Get(a.Start(bandit.Spec{Dim: 7, Arms: config("", "").Arms, Columns: environment}))(t)
	for i, c := range []struct {
		agent       agent.Context
		environment []float32
	}{
		{agent.Context{"age": 30, "country": "us", "visits": 4}, []float32{1, 9, 0, 1, 0, 30, 0}},
		{agent.Context{"age": nil, "country": "fr", "visits": 0}, []float32{-1, 9, 1, 0, 0, 0, 1}},
		{agent.Context{"age": 50, "country": "it", "visits": 3}, []float32{0.5, 9, 0, 0, 1, 50, 0}},
	} {
		choice := must.Get(a.Choose(c.agent))(t)
		arm := must.Get(p.Act(bandit.Round{T: i + 1, Row: -1, Context: c.environment}))(t)
		must.Equal(t, fmt.Sprintf("context %d: the trial's arm", i), config("", "").Arms[arm], choice.Arm)
	}
	_, err := a.Start(bandit.Spec{Dim: 1, Arms: config("", "").Arms, Columns: environment[:1]})
	must.Fail(t, err, `the environment has no column "age"`)
}

// TestAmong checks with several policies that an arm which is not among those given is not chosen, and that rewards still come later.
func TestAmong(t *testing.T) {
	for _, name := range []string{"LinTS", "LinUCB", "EpsGreedy", "UCB1", "BetaTS", "Uniform", "LinSoftmax", "Always"} {
		a := must.Get(agent.New(config(name, "")))(t)
		play(t, a, 60, nil)
		good := agent.Context{"age": 30, "country": "de", "visits": 2}
		first := must.Get(a.Choose(good, "b"))(t)
		must.Equal(t, name+": arm", first.Arm, "b")
		for range 30 {
			must.That(t, must.Get(a.Choose(good, "c", "a"))(t).Arm != "b", "%s chooses b among a and c", name)
		}
		must.OK(t, a.Learn(first.ID, 1))
		_, err := a.Choose(good, "d")
		must.Fail(t, err, `there is no arm "d"`)
	}
}
