package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/agent"
	"banditsim/bandit/logged"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/exact"
)

// address has a port that was free when the test began.
var address = freeAddress()

func freeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestMain runs the service if SERVICE has its flags, which start sets in the child process; otherwise it runs the tests.
func TestMain(m *testing.M) {
	if os.Getenv("SERVICE") != "" {
		os.Args = append(os.Args[:1], strings.Fields(os.Getenv("SERVICE"))...)
		main()
		return
	}
	os.Exit(m.Run())
}

// start starts the service and waits until it answers.
func start(t *testing.T, file, log string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("SERVICE=-agent %s -log %s -addr %s", file, log, address))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if r, err := http.Get("http://" + address + "/metrics"); err == nil {
			r.Body.Close()
			return cmd
		}
	}
	cmd.Process.Kill()
	t.Fatal("no answer within a minute")
	return nil
}

// errLearned is the error of post if the service has already learned the reward.
var errLearned = errors.New("it has that reward")

// post sends a request, and repeats it for up to a minute while the service cannot be reached because it is restarting.
func post(path string, ask, answer any) error {
	b, err := json.Marshal(ask)
	if err != nil {
		return err
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		r, err := http.Post("http://"+address+path, "application/json", bytes.NewReader(b))
		if err != nil {
			if time.Now().After(deadline) {
				return err
			}
			continue
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		switch {
		case err != nil:
		case r.StatusCode == http.StatusOK:
			return json.Unmarshal(text, answer)
		case strings.Contains(string(text), agent.ErrLearned.Error()):
			return errLearned
		default:
			return fmt.Errorf("%s: %s", r.Status, text)
		}
	}
}

// pays returns the probability that the reward of an arm is 1 in context x.
func pays(arm string, x float64) float64 {
	return map[string]float64{"a": 0.2, "b": 0.1 + 0.3*x, "c": 0.5 - 0.4*x}[arm]
}

// TestService makes 10⁵ decisions with delayed rewards, drawn from known probabilities, while the service is killed
// nine times (200 times if BANDITSIM_LONG is set). It checks that every decision and every reward is in the log exactly
// once, and that the true mean reward of the policy 'always b' is within the 99.9 % interval of its estimate.
func TestService(t *testing.T) {
	const decisions, clients = 100_000, 8
	kills := 9
	if os.Getenv("BANDITSIM_LONG") != "" {
		kills = 200
	}
	dir := t.TempDir()
	file, log := filepath.Join(dir, "shop.agent"), filepath.Join(dir, "shop.jsonl")
	a, err := agent.New(agent.Config{Policy: "LinUCB", Options: []byte(`{"explore":0.2}`), Arms: []string{"a", "b", "c"}, Columns: bandit.NumberColumns(1)})
	if err == nil {
		err = a.Save(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := start(t, file, log)
	var mutex sync.Mutex
	contexts, arms, rewarded := map[uint64]float64{}, map[uint64]string{}, map[uint64]bool{}
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(client)))
			var waiting []agent.Choice
			var xs []float64
			for i := range decisions / clients {
				x := random.Float64()
				var c agent.Choice
				if err := post("/choose", agent.Context{"x1": x}, &c); err != nil {
					t.Error(err)
					return
				}
				mutex.Lock()
				contexts[c.ID], arms[c.ID] = x, c.Arm
				mutex.Unlock()
				waiting, xs = append(waiting, c), append(xs, x)
				for len(waiting) > 20 || i == decisions/clients-1 && len(waiting) > 0 { // a reward is sent twenty decisions later
					c, reward := waiting[0], 0.
					if random.Float64() < pays(c.Arm, xs[0]) {
						reward = 1
					}
					if err := post("/reward", map[string]any{"id": c.ID, "reward": reward}, &struct{}{}); err != nil && err != errLearned {
						t.Error(err)
						return
					}
					mutex.Lock()
					rewarded[c.ID] = true
					mutex.Unlock()
					waiting, xs = waiting[1:], xs[1:]
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for k := range kills {
		for enough := false; !enough && !t.Failed(); time.Sleep(10 * time.Millisecond) {
			mutex.Lock()
			enough = len(contexts) > (k+1)*decisions/(kills+1)
			mutex.Unlock()
		}
		cmd.Process.Kill()
		cmd.Wait()
		cmd = start(t, file, log)
	}
	<-done
	if err := post("/reward", map[string]any{"id": 1}, &struct{}{}); err == nil || !strings.Contains(err.Error(), "want") {
		t.Errorf("a reward without a number: %v", err)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if again, err := agent.Open(file); err != nil { // the saved agent has learned the whole log
		t.Error(err)
	} else if j, found, err := agent.OpenJournal(again, log, agent.SyncNever); err != nil || found != (agent.Replay{}) {
		t.Error(found, err)
	} else {
		j.Close()
	}
	checkLog(t, log, arms, rewarded)
	evaluate(t, log, contexts)
}

// checkLog checks that the log has every decision in arms exactly once, and its reward exactly once.
func checkLog(t *testing.T, log string, arms map[uint64]string, rewarded map[uint64]bool) {
	t.Helper()
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	seen, learned := map[uint64]int{}, map[uint64]int{}
	for line := range bytes.Lines(b) {
		var e struct {
			ID     uint64
			Arm    string
			Reward *float64
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Reward != nil:
			learned[e.ID]++
		case e.Arm != "" && (arms[e.ID] == "" || arms[e.ID] == e.Arm):
			seen[e.ID]++
		}
	}
	for id := range arms {
		if seen[id] != 1 || learned[id] != 1 || !rewarded[id] {
			t.Fatalf("decision %d is in the log %d times, its reward %d times: want once", id, seen[id], learned[id])
		}
	}
}

// evaluate estimates from the log the mean reward of always pulling arm b, and compares it with the true mean.
func evaluate(t *testing.T, log string, contexts map[uint64]float64) {
	t.Helper()
	l, err := logged.Open(log, logged.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if l.Description.Rows != len(contexts) {
		t.Errorf("%d rows, want %d", l.Description.Rows, len(contexts))
	}
	o := logged.DefaultOptions()
	k := exact.Linear()
	o.Model = func(s posterior.Setup) (posterior.Posterior, error) { return k.New(k.Defaults(), s) }
	e, err := logged.Evaluate(context.Background(), l, []logged.Policy{{Label: "always b", New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(1), nil }}}, o)
	if err != nil {
		t.Fatal(err)
	}
	truth := 0.
	for _, x := range contexts {
		truth += pays("b", x) / float64(len(contexts))
	}
	m := e.Estimates[0].Mean // doubly robust
	t.Logf("%d decisions: always b earns %.4f, by the log %.4f ± %.4f", len(contexts), truth, m.Mean, m.StdErr)
	if d := m.Mean - truth; !e.Estimates[0].Verdict || d > 3.29*m.StdErr || d < -3.29*m.StdErr {
		t.Errorf("by the log always b earns %.4f ± %.4f, the truth is %.4f", m.Mean, m.StdErr, truth)
	}
}
