package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditsim/datasets"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
)

// three returns a folder with one policy of each kind.
func three() resultstest.Folder {
	return resultstest.Folder{
		Policies: []string{"pICSGLD", "pSGLD", "Uniform"}, Kinds: []resultstest.Kind{resultstest.Contour, resultstest.Sampler, resultstest.Plain},
		Seeds: 3, Rounds: 120, BurnIn: 1024, Sidecar: resultstest.Provenance(),
	}
}

func render(t *testing.T, f resultstest.Folder, o Options) (*results.Set, string) {
	t.Helper()
	set := resultstest.Write(t, t.TempDir(), f)
	b := must.Get(Render([]*results.Set{set}, o))(t)
	return set, string(b)
}

// TestSummary checks that the summaries equal those of compare.Summarize, including departures.
func TestSummary(t *testing.T) {
	f := three()
	f.Seeds = 8
	dir := t.TempDir()
	resultstest.WriteMany(t, dir, f) // makes the last seed depart
	set := must.Get(results.Load(dir))(t)
	var got []*compare.Summary
	must.Get(Render([]*results.Set{set, set}, Options{Summary: func(s *compare.Summary) { got = append(got, s) }}))(t)
	want := must.Get(compare.Summarize(set))(t)
	must.Hold(t, want.Policies[0].Regret[compare.Expected()].Worst.Departs != 0, "no seed departs")
	must.Equal(t, "summaries", got, []*compare.Summary{want, want})
}

func TestPage(t *testing.T) {
	set, text := render(t, three(), Options{Title: "a title"})
	text = html.UnescapeString(text)
	summary := must.Get(compare.Summarize(set))(t)
	must.Contain(t, text, "<h1>a title</h1>", strings.Join(summary.Sentences, " "), set.Conditions.DataName(), set.Conditions.ProtocolName(), set.Conditions.Environment.Data.SHA256)
	tables := []report.Table{report.SummaryPage(summary).Tables[0]}
	for _, m := range compare.Metrics() {
		o := compare.DefaultOptions(set)
		o.Metric = m
		c := must.Get(compare.Compare(set, o))(t)
		tables = append(tables, report.Comparison(c).Tables[0])
	}
	for _, table := range tables {
		containsTable(t, text, table)
	}
	// Provenance, and the license of uPlot.
	must.Contain(t, text, "banditsim run quick --set all.act=sample", "<code>8141e3e</code>", "<dd>go1.26.0</dd>", "<dd>Test Processor</dd>", "<dd>linux/amd64</dd>", "<dd>avx2</dd>",
		"12 min 27 s of trials, summed, started 2026-01-02 03:04 UTC", "Copyright (c) 2022 Leon Sorokin", "The above copyright notice and this permission notice shall be included")
	b, err := Render([]*results.Set{set}, Options{Title: "a title"})
	must.That(t, err == nil && html.UnescapeString(string(b)) == text, "a second page of the same folder differs (error %v)", err)
}

// containsTable fails unless text contains the caption, the notes and the cells of a table.
func containsTable(t *testing.T, text string, table report.Table) {
	t.Helper()
	must.Contain(t, text, slices.Concat(table.Caption, table.Notes)...)
	for _, row := range table.Rows {
		for _, cell := range row[1:] {
			must.Contain(t, text, "<td>"+cell+"</td>")
		}
	}
}

// TestSelfContained checks that neither the markup of a page nor its content security policy allows network requests.
func TestSelfContained(t *testing.T) {
	_, text := render(t, three(), Options{})
	allowed := []string{
		"https://github.com/leeoniya/uPlot", // in uPlot's first line, a comment
		"http://www.w3.org/2000/svg",        // the name of SVG
	}
	for _, url := range regexp.MustCompile(`[a-z]+://[^\s"'<>)]*`).FindAllString(text, -1) {
		must.That(t, slices.Contains(allowed, url), "the page has the address %s", url)
	}
	for _, tag := range regexp.MustCompile(`<[a-z]+[^>]*\s(?:src|href|action|srcset|data|poster)=[^>]*>`).FindAllString(text, -1) {
		must.That(t, regexp.MustCompile(`href="(#|data:image/svg)`).MatchString(tag), "the page has %s", tag)
	}
	for _, call := range []string{"@import", "fetch(", "XMLHttpRequest", "sendBeacon", "WebSocket", "EventSource"} {
		must.That(t, !strings.Contains(text, call), "the page has %s", call)
	}
	text = html.UnescapeString(text)
	must.Contain(t, text, `content="default-src 'none'; script-src 'sha256-`, `base-uri 'none'; form-action 'none'"`)
	// The policy allows the scripts and styles of the page.
	for _, element := range []string{"script", "style"} {
		whole := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(text, -1)
		must.Equal(t, "elements "+element, len(whole), 2)
		for _, m := range whole {
			sum := sha256.Sum256([]byte(m[1]))
			must.Contain(t, text, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		}
	}
}

// TestHostileNames checks that names and texts from files, which anybody may have written, are escaped.
func TestHostileNames(t *testing.T) {
	evil := []string{`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`, "'-alert(3)-'", "\u2028\x1b[31m<!--"}
	f := three()
	f.Policies = evil
	f.Cause = `<b onclick="alert(4)">cause</b>`
	f.Fails = func(policy string, seed uint64) bool { return policy == evil[0] && seed == 2 }
	f.Sidecar.Command = []string{"banditsim", `<script>alert(5)</script>`}
	f.Sidecar.Processor = `<i>chip</i>`
	f.Change = func(i *results.Identity) {
		i.Environment.Name = `<u>env</u>`
		i.Environment.Arms = []string{`<s>arm</s>`, `{{.}}`}
		i.Policy.Options = json.RawMessage(`{"a":"</pre><script>alert(6)</script>"}`)
	}
	_, text := render(t, f, Options{Title: `<title>`})
	for _, bad := range []string{"<script>alert", "<img", "<b ", "<i>", "<u>", "<s>", "\u2028", "\x1b", "ZgotmplZ"} {
		must.That(t, !strings.Contains(text, bad), "the page has %q as it came", bad)
	}
	must.Equal(t, "scripts", strings.Count(text, "<script"), 3)
	// The page shows them as text.
	must.Contain(t, html.UnescapeString(text), append(evil[:3:3], f.Cause, "banditsim '<script>alert(5)</script>'", "<i>chip</i>", "<u>env</u>", "<s>arm</s>", "?[31m<!--")...)
	must.Equal(t, "policies in the data", len(dataOf(t, text).Policies), 4)
}

func TestOddFolders(t *testing.T) {
	many := three()
	many.Policies, many.Seeds = nil, 1
	for k := range 40 {
		many.Policies = append(many.Policies, fmt.Sprintf("policy%d", k))
	}
	for _, test := range []struct {
		name   string
		change func(*resultstest.Folder)
		want   []string
		not    []string
	}{
		{"one seed", func(f *resultstest.Folder) { f.Seeds = 1 }, []string{"seed 1 alone: no interval", `"half":null`}, []string{`"half":[`}},
		{"one policy", func(f *resultstest.Folder) { f.Policies = f.Policies[:1] }, []string{"has an expected regret of"}, []string{`id="comparison"`}},
		{"one round", func(f *resultstest.Folder) { f.Rounds = 1 }, []string{`"after":null`}, nil},
		{"no burn-in", func(f *resultstest.Folder) { f.BurnIn = 0 }, []string{`"burnIn":0`, `"after":null`, `name="from" value="after" disabled`, `name="wrong" value="all" checked`, "Pulls from round 1 on, of all seeds"}, nil},
		{"many policies", func(f *resultstest.Folder) { *f = many }, []string{"policy39"}, nil},
		{"trials that were stopped", func(f *resultstest.Folder) {
			later := *f.Sidecar
			later.Version, later.Earlier = "0.2.0", []results.Sidecar{*f.Sidecar}
			f.Sidecar = &later
		}, []string{"<dd>0.2.0</dd>", "<dd>0.1.0</dd>", "9 trials stopped and resumed", "<td>2 min 46 s</td>"}, nil},
		{"no sidecars", func(f *resultstest.Folder) { f.Sidecar = nil }, []string{"jsonl: no sidecar</li>"}, nil},
		{"a failed trial", func(f *resultstest.Folder) {
			f.Cause = "the energy of chain 3 is NaN"
			f.Fails = func(policy string, seed uint64) bool { return policy == "pSGLD" && seed == 2 }
		}, []string{"pSGLD: 1 failed: seed 2 (not in the means)", "seed 2, round 5: the energy of chain 3 is NaN", "failed in round 5"}, nil},
		{"all failed", func(f *resultstest.Folder) {
			f.Fails = func(string, uint64) bool { return true }
		}, []string{"No trial did all its rounds, so there are no curves", "3 failed"}, []string{`id="regret"`, `id="sampler"`, `id="mistakes"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := three()
			test.change(&f)
			_, text := render(t, f, Options{})
			must.Contain(t, html.UnescapeString(text), test.want...)
			data := regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(text, "") // scripts may say NaN
			for _, not := range append(test.not, "NaN,", "+Inf", "ZgotmplZ", "%!") {
				must.That(t, !strings.Contains(data, not), "the page has %q", not)
			}
			dataOf(t, text)
		})
	}
}

// TestThinned checks that a page of many policies and environments has fewer points and digits per curve, so that it is small enough
// to be mailed.
func TestThinned(t *testing.T) {
	sets := resultstest.Grid(t, 45, 9, resultstest.Folder{Seeds: 3, Distinct: 2, Rounds: 60, BurnIn: 1024})
	b := must.Get(Render(sets, Options{Title: "45 × 9"}))(t)
	if t.Logf("%d bytes", len(b)); len(b) > 3_000_000 {
		t.Errorf("%d bytes, want at most 3,000,000", len(b))
	}
	d, whole := dataOf(t, string(b)), compare.Totals(sets[0]).Policies[0].Regret[compare.Expected()].All
	curve := d.Policies[0].Regret["expected"].All
	last := len(d.Axes.All) - 1
	must.That(t, last <= 60 && len(curve.Mean) == last+1 && d.Axes.Windows.N <= 25,
		"%d points of a curve and %d windows, want at most 61 and 25", len(curve.Mean), d.Axes.Windows.N)
	if mean, half := curve.Mean[last], curve.Half[last]; math.Abs(mean-whole.Mean) > 0.0005*whole.Mean || math.Abs(half-whole.Half()) > 0.005*whole.Half() {
		t.Errorf("a curve ends at %v ± %v, want four and three digits of %v ± %v", mean, half, whole.Mean, whole.Half())
	}
	if text := fmt.Sprintf("%.10g", curve.Mean[last]); len(strings.ReplaceAll(text, ".", "")) > 5 {
		t.Errorf("a point has the digits %s, want four that are not zeros at the end", text)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	set := resultstest.Write(t, dir, three())
	path := filepath.Join(dir, "page.html")
	must.OK(t, Write(path, []*results.Set{set}, Options{}))
	b, err := os.ReadFile(path)
	must.Hold(t, err == nil && bytes.HasSuffix(b, []byte("</html>\n")),
		"the page ends in %q (error %v)", b[max(len(b)-20, 0):], err)
	must.Contain(t, string(b), "<h1>"+filepath.Base(dir)+"</h1>")
	// A new page replaces the old file instead of overwriting it, so that a reader who has the old one open keeps it whole.
	link := filepath.Join(dir, "link.html")
	must.OK(t, os.Link(path, link))
	must.OK(t, Write(path, []*results.Set{set}, Options{Title: "another"}))
	must.Equal(t, "the old page", must.Get(os.ReadFile(link))(t), b)
	b = must.Get(os.ReadFile(path))(t)
	if err := Write(filepath.Join(dir, "none", "page.html"), []*results.Set{set}, Options{}); err == nil {
		t.Error("a folder that is not there: no error")
	}
	// A byte in the middle of a trial file that changes after Load is an error and leaves the old page unchanged.
	trial := set.Policies[0].Records[1].Path
	damage(t, trial)
	must.Fail(t, Write(path, []*results.Set{set}, Options{}), filepath.Base(trial), "checksum differs")
	must.Equal(t, "the old page", must.Get(os.ReadFile(path))(t), b)
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// damage changes a digit in the middle of a file.
func damage(t *testing.T, path string) {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	i := bytes.Index(b, []byte(`"arms":[12,8]`))
	b[i+len(`"arms":[1`)] = '3'
	must.OK(t, os.WriteFile(path, b, 0o644))
}

// TestUPlot compares the embedded files of uPlot with the checksums in its README.
func TestUPlot(t *testing.T) {
	readme := must.Get(os.ReadFile("uplot/README.md"))(t)
	entries := must.Get(os.ReadDir("uplot"))(t)
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		b := must.Get(os.ReadFile(filepath.Join("uplot", e.Name())))(t)
		sum := sha256.Sum256(b)
		must.Contain(t, string(readme), fmt.Sprintf("| `%s` | %s |", e.Name(), hex.EncodeToString(sum[:])))
	}
}

// TestEnvironments checks that a page has several environments, and their ranks from CompareAcross.
func TestEnvironments(t *testing.T) {
	var sets []*results.Set
	for _, name := range []string{"first", "<second>"} {
		f := three()
		f.Change = func(i *results.Identity) { i.Environment.Name = name }
		set := resultstest.Write(t, t.TempDir(), f)
		set.Label = name
		sets = append(sets, set)
	}
	b := must.Get(Render(sets, Options{Title: "both"}))(t)
	text := html.UnescapeString(string(b))
	must.Contain(t, text, "Over 2 environments", "<h2>first</h2>", "<h2><second></h2>", `id="regret"`, `id="regret-2"`)
	for _, m := range compare.Metrics() {
		a := must.Get(compare.CompareAcross(sets, m, ""))(t)
		containsTable(t, text, report.Across(a).Tables[0])
	}
	// Without a policy in common there are no ranks, and the page says why.
	f := three()
	f.Policies = []string{"other"}
	other := resultstest.Write(t, t.TempDir(), f)
	other.Label = "third"
	b = must.Get(Render(append(sets, other), Options{}))(t)
	must.Contain(t, string(b), "no policy finished a trial in every environment")
}

// TestManyArms checks that the least pulled of many arms share a curve.
func TestManyArms(t *testing.T) {
	f := three()
	f.Kinds = nil
	f.Change = func(i *results.Identity) {
		for len(i.Environment.Arms) < 15 {
			i.Environment.Arms = append(i.Environment.Arms, fmt.Sprint("arm ", len(i.Environment.Arms)))
		}
	}
	_, text := render(t, f, Options{})
	d := dataOf(t, text)
	n := len(d.ArmNames)
	must.That(t, n == 12 && d.ArmNames[11] == "4 other arms", "%d arms, the last %q", n, d.ArmNames[n-1])
	for _, p := range d.Policies {
		sum := 0.0
		for _, share := range p.Arms {
			sum += share[10]
		}
		near(t, "sum of the shares", sum, 1)
	}
}

// TestWrongRows checks that invalid rows are an error, and that a page says why it lacks rows.
func TestWrongRows(t *testing.T) {
	set := resultstest.Write(t, t.TempDir(), three())
	for _, rows := range []*datasets.Rows{
		{Columns: []string{"a"}},
		{Columns: []string{"a"}, Values: [][]string{{}}, Wrong: func(int, int) bool { return false }},
	} {
		must.Refuse(Render([]*results.Set{set}, Options{Describe: describe(rows)}))(t, "page: rows of environment")
	}
	for want, describe := range map[string]func(results.Environment) (*datasets.Rows, error){
		"does not describe its rows here":               describe(nil),
		"What the rows are is not shown: lost the file": func(results.Environment) (*datasets.Rows, error) { return nil, errors.New("lost the file") },
	} {
		b := must.Get(Render([]*results.Set{set}, Options{Describe: describe}))(t)
		must.Contain(t, string(b), want)
	}
}

// TestAnytime checks that a page has the intervals that hold at every number of seeds if there are enough seeds.
func TestAnytime(t *testing.T) {
	const section = "All pairs, with intervals that hold at every number of seeds"
	f := three()
	for seeds, want := range map[int]bool{4: false, 6: true} {
		f.Seeds = seeds
		set, b := render(t, f, Options{})
		must.That(t, strings.Contains(b, section) == want,
			"%d seeds: the page has anytime intervals: %v, want %v", seeds, !want, want)
		a := must.Get(compare.Sequential(set, compare.Expected(), compare.Until{Separated: true}))(t)
		if cell := report.Anytime(a).Tables[0].Rows[0][4]; want && !strings.Contains(html.UnescapeString(b), "<td>"+cell+"</td>") {
			t.Errorf("the page lacks the interval %s", cell)
		}
	}
}
