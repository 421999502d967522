//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"banditsim/bandit/plugin"
	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// python is the interpreter of Debian, for which apt installs NumPy; another one on the path may lack NumPy.
const python = "/usr/bin/python3"

// pluginScripts are programs for the tests below, which import the shim in banditsim.py, and their experiment file.
var pluginScripts = map[string]string{
	// saves.py starts a process that outlives it unless the process group is killed.
	"saves.py": `
import pickle, random, subprocess
from banditsim import serve
class Saves:
    def __init__(self, arms, dim, seed):
        subprocess.Popen(["sleep", "47"])
        self.random, self.sums = random.Random(seed), [0.0] * arms
    def act(self, context):
        if self.random.random() < 0.3:
            return self.random.randrange(len(self.sums))
        return max(range(len(self.sums)), key=self.sums.__getitem__)
    def learn(self, context, arm, reward):
        self.sums[arm] += reward
    def save(self):
        return pickle.dumps((self.random.getstate(), self.sums))
    def restore(self, state):
        state, self.sums = pickle.loads(state)
        self.random.setstate(state)
serve(Saves)
`,
	// replays.py cannot be saved, and draws from the generator that the shim seeds.
	"replays.py": `
import random, sys
from banditsim import serve
class Replays:
    def __init__(self, arms, dim, seed):
        self.arms = arms
        print("hello from a child")
    def act(self, context):
        return random.randrange(self.arms)
    def learn(self, context, arm, reward):
        pass
serve(Replays)
`,
	"world.py": `
import random
from banditsim import serve
class World:
    names, dim = ["left", "right"], 2
    def __init__(self, seed, gap=1):
        self.random, self.gap = random.Random(seed), gap
        self.constant_arm = ("left", gap / 8)
    def next(self):
        x = [self.random.random(), 1]
        means = [0, self.gap * (x[0] - 0.5)]
        return x, means, [m + self.random.gauss(0, 0.5) for m in means]
serve(World)
`,
	"mean.py": `
from banditsim import serve
class Mean:
    def __init__(self, outputs, dim, seed):
        self.n, self.sums = [1] * outputs, [0.0] * outputs
    def observe(self, contexts, arms, rewards):
        for arm, reward in zip(arms, rewards):
            self.n[arm] += 1
            self.sums[arm] += reward
    def update(self): pass
    def mean(self, contexts):
        return [[s / n for s, n in zip(self.sums, self.n)] for _ in contexts]
    def spread(self, contexts):
        return [[1 / n ** 0.5 for n in self.n] for _ in contexts]
serve(Mean)
`,
	"plugged.yaml": `
name: plugged
environments:
  - {name: Ours, command: [` + python + `, world.py], options: {gap: 2}}
profile: paper
seeds: 1..2
protocol: {rounds: 150, pulls: 4, burn_in: 20}
policies:
  - {name: Saves, command: ` + python + ` saves.py, timeout: 60s}
  - {name: Replays, command: [` + python + `, replays.py], timeout: 60s}
  - {name: Means, command: [` + python + `, mean.py], role: posterior, rule: UCB, set: {alpha: 0.5}, timeout: 60s}
  - {name: Greedy, command: [` + python + `, mean.py], role: posterior, rule: EpsGreedy, timeout: 60s}
  - LinUCB
`,
}

// pluginFolder makes a folder with pluginScripts and the shim. It skips the test without python.
func pluginFolder(t *testing.T) (dir string) {
	t.Helper()
	if _, err := os.Stat(python); err != nil {
		t.Skip(python + " is not installed")
	}
	dir = t.TempDir()
	shim, _, _, err := plugin.Shim("python")
	must.OK(t, err)
	write := func(name string, text []byte) {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	write("banditsim.py", shim)
	for name, text := range pluginScripts {
		write(name, []byte(text))
	}
	return dir
}

// TestPluginsKilled checks that runs with child processes that are killed with SIGKILL and resumed have the trial files of an
// undisturbed run, and that no child outlives its run. It makes 2 kills, or 40 with BANDITSIM_LONG.
func TestPluginsKilled(t *testing.T) {
	t.Parallel()
	here := pluginFolder(t)
	kills := 2
	if os.Getenv("BANDITSIM_LONG") != "" {
		kills = 40
	}
	dir := t.TempDir()
	v := &soakVerb{name: "plugins", resumes: true, dir: here, args: func(to string) []string {
		return []string{"run", "plugged.yaml", "--workers", "2", "--checkpoint", "10", "--quiet", "--out", to}
	}}
	v.undisturbed, v.took = v.do(t, filepath.Join(dir, "undisturbed"))
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range kills {
		v.kill(t, filepath.Join(dir, fmt.Sprint(k)), rng)
		waitForNoChildren(t, here)
	}
	v.end(t)
	waitForNoChildren(t, here)
	t.Logf("an undisturbed run takes %v; %d kills, %d midway", v.took, kills, v.midway)
}

// TestInitPlugin checks that a file that 'init --plugin' writes has the child process, here a posterior.
func TestInitPlugin(t *testing.T) {
	t.Parallel()
	here := pluginFolder(t)
	for _, args := range [][]string{{"init", "e.yaml", "--plugin", "Means=" + python + " mean.py"}, {"run", "e.yaml", "--policies", "Means", "--dry-run"}} {
		code, _, stderr := run(here, os.Getenv, args)
		must.That(t, code == exit.OK, "%q: %s", args, stderr)
	}
}

// waitForNoChildren waits until the children of a killed run, which work in the folder, have ended.
func waitForNoChildren(t *testing.T, here string) {
	t.Helper()
	var left []string
	for range 100 {
		left = nil
		links, _ := filepath.Glob("/proc/[0-9]*/cwd")
		for _, link := range links {
			words, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
			if to, err := os.Readlink(link); err == nil && to == here && filepath.Base(filepath.Dir(link)) != "self" &&
				!bytes.Contains(words, []byte(".test")) {
				left = append(left, string(words))
			}
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("5 s after the run was killed there are still %q", left)
}
