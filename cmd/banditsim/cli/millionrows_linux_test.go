package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestMillionRows checks that the evaluation of five policies on a log of a million rows, 20 numbers and 10 arms takes under
// 60 s and 500 MB on two cores, as docs/logged.md says. It measures processor time, which is more than the elapsed time on an
// idle machine and does not depend on other programs. It needs BANDITSIM_LONG=1 and 250 MB in TMPDIR.
func TestMillionRows(t *testing.T) {
	t.Parallel()
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("long: set BANDITSIM_LONG=1")
	}
	const rows, arms, numbers = 1_000_000, 10, 20
	path := filepath.Join(t.TempDir(), "million.csv")
	f := must.Get(os.Create(path))(t)
	out := bufio.NewWriter(f)
	out.WriteString("arm,reward,propensity")
	for i := range numbers {
		fmt.Fprintf(out, ",x_%d", i)
	}
	draw := stream.Root(1).Child("million")
	var line []byte
	x := make([]float32, numbers)
	for range rows {
		arm, reward := draw.IntN(arms), 0
		draw.Normals(x)
		if draw.Float64() < 0.3+0.02*float64(arm)+0.1*min(max(float64(x[arm]), -1), 1) {
			reward = 1
		}
		line = append(line[:0], '\n', byte('0'+arm), ',', byte('0'+reward), ',', '0', '.', '1')
		for _, v := range x {
			line = strconv.AppendFloat(append(line, ','), float64(v), 'f', 6, 32)
		}
		out.Write(line)
	}
	out.WriteString("\n")
	must.OK(t, out.Flush())
	must.OK(t, f.Close())
	for name, flags := range map[string][]string{"replay": nil, "trained": {"--train", "0.8"}} {
		t.Run(name, func(t *testing.T) {
			cmd, _, _ := banditsim(t, append([]string{"evaluate", path, "--policies", "Uniform,always 3,LinUCB,LinTS,LinEpsGreedy", "--workers", "2"}, flags...)...)
			start := time.Now()
			succeeds(t, cmd)
			end := cmd.ProcessState
			used := end.UserTime() + end.SystemTime()
			peak := end.SysUsage().(*syscall.Rusage).Maxrss * 1024 / 1_000_000
			t.Logf("%.1f s, %.1f s of processors, %d MB", time.Since(start).Seconds(), used.Seconds(), peak)
			must.That(t, used <= time.Minute && peak < 500,
				"%.1f s of processors and %d MB, want under 60 s and 500 MB", used.Seconds(), peak)
		})
	}
}
