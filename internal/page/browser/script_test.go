package browser_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"banditsim/bandit"
	"banditsim/internal/must"
	"banditsim/internal/page"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestScripts runs the scripts of testdata. A line is a command (see commands), or a JavaScript expression followed by == or != and
// a text: the expression must equal the text, or differ from it. In the text … matches anything. The text $NAME stands for the value
// that the command keep has stored. Expressions can call the functions of testdata/helpers.js.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	must.Hold(t, err == nil && len(paths) != 0, "%d scripts (error %v)", len(paths), err)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			s := &script{files: make(map[string]string), kept: make(map[string]string), tab: &tab{t: t}}
			number := 0
			for line := range strings.Lines(string(resultstest.ReadFile(t, path))) {
				number++
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
					s.line(fmt.Sprintf("%s:%d", path, number), line)
				}
			}
		})
	}
}

// A script is the state of a script that runs.
type script struct {
	*tab
	files map[string]string // paths of the pages written so far, by name
	file  string            // path of the page in the tab
	kept  map[string]string // values of the command keep
	seen  []string          // values of the command unseen
}

func (s *script) line(place, line string) {
	s.t.Helper()
	name, arguments, _ := strings.Cut(line, " ")
	if do, ok := commands[name]; ok {
		do(s, arguments)
		return
	}
	m := expectation.FindStringSubmatch(line)
	must.Hold(s.t, m != nil, "%s: no command, and neither == nor != in %s", place, line)
	got, want := s.value(m[1]), m[3]
	if kept, ok := strings.CutPrefix(want, "$"); ok {
		want = s.kept[kept]
	}
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), "…", "(?s:.*)") + "$"
	must.That(s.t, regexp.MustCompile(pattern).MatchString(got) == (m[2] == "=="), "%s: %.200q: %s", place, got, line)
}

var expectation = regexp.MustCompile(`^(.*?) (==|!=)(?: (.*))?$`)

// value returns the value of a JavaScript expression as text.
func (s *script) value(expression string) string {
	s.t.Helper()
	return evalText(s.tab, "(async () => String(await ("+expression+")))()")
}

// commands has the commands of scripts. arguments is the rest of the line.
var commands = map[string]func(s *script, arguments string){
	// open PAGE VIEW opens a page in a new tab.
	"open": func(s *script, arguments string) {
		name, view, _ := strings.Cut(arguments, " ")
		if s.files[name] == "" {
			s.files[name] = pages[name](s.t)
		}
		s.file = s.files[name]
		s.tab = open(s.t, s.file, views[view])
	},
	// again opens the page in a new tab, at its current address.
	"again": func(s *script, _ string) {
		s.tab = openAt(s.t, s.file, eval[string](s.tab, "location.hash"), desktop)
	},
	"look":        func(s *script, name string) { s.look(views[name]); s.settle() },
	"js":          func(s *script, statements string) { s.value("(async () => { " + statements + " })()"); s.settle() },
	"click":       func(s *script, selector string) { s.click(selector) },
	"save":        func(s *script, selector string) { s.saves(selector) },
	"doubleclick": (*script).doubleClick,
	"hover":       (*script).hover,
	"away":        (*script).away,
	"drag":        (*script).drag,
	"tap":         (*script).tap,
	"finger":      (*script).finger,
	// pick SECTION NAME=VALUE clicks a radio button or a check box.
	"pick": func(s *script, arguments string) {
		last := strings.LastIndexByte(arguments, ' ')
		section, choice := arguments[:last], arguments[last+1:]
		name, value, _ := strings.Cut(choice, "=")
		s.click(fmt.Sprintf(`%s label:has([name="%s"][value="%s"])`, section, name, value))
	},
	// choose NAME=VALUE selects a value of a list.
	"choose": func(s *script, choice string) {
		name, value, _ := strings.Cut(choice, "=")
		s.choose(name, value)
	},
	// key NAME [TIMES] presses a key.
	"key": func(s *script, arguments string) {
		name, times := arguments, 1
		fmt.Sscan(arguments, &name, &times)
		for range times {
			s.press(keys[name])
		}
	},
	// keep NAME EXPRESSION stores a value for $NAME.
	"keep": func(s *script, arguments string) {
		name, expression, _ := strings.Cut(arguments, " ")
		s.kept[name] = s.value(expression)
	},
	// unseen EXPRESSION fails if an earlier unseen had the same value.
	"unseen": func(s *script, expression string) {
		got := s.value(expression)
		must.That(s.t, !slices.Contains(s.seen, got), "%s: as before", expression)
		s.seen = append(s.seen, got)
	},
}

var keys = map[string]string{"Tab": kb.Tab, "Home": kb.Home, "End": kb.End, "Left": kb.ArrowLeft, "Right": kb.ArrowRight, "Escape": kb.Escape, "Space": " ", "+": "+"}

var views = map[string]view{
	"desktop": desktop, "phone": phone,
	"dark":  {width: desktop.width, height: desktop.height, dark: true},
	"plain": {width: desktop.width, height: desktop.height, withoutScripts: true},
}

// pages has functions that write the pages of scripts and return their path.
var pages = map[string]func(*testing.T) string{
	"three":   func(t *testing.T) string { return write(t, nil) },
	"trained": func(t *testing.T) string { return write(t, func(f *resultstest.Folder) { f.Change = trains }) },
	"hostile": func(t *testing.T) string { return write(t, hostile) },
	"several": several,
	"3x1":     func(t *testing.T) string { return writeGrid(t, 3, 1) },
	"12x1":    func(t *testing.T) string { return writeGrid(t, 12, 1) },
	"3x9":     func(t *testing.T) string { return writeGrid(t, 3, 9) },
}

// trains sets options of samplers to 50 gradient steps per round for 3 chains, from the second round on.
func trains(i *results.Identity) {
	if i.Policy.Name != "Uniform" {
		i.Policy.Options = []byte(`{"posterior":{"steps":50,"chains":3,"buffer":100,"train_after":20}}`)
	}
}

// hostile sets names and texts to markup and code.
func hostile(f *resultstest.Folder) {
	const evil = `</script><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
	f.Policies[0] = evil
	f.Cause = evil
	f.Fails = func(policy string, seed uint64) bool { return policy == "Uniform" && seed == 2 }
	f.Sidecar.Command = []string{evil}
	f.Change = func(i *results.Identity) { i.Environment.Arms[0], i.Environment.Name = evil, evil }
}

// several writes the page of three environments, one of them with other policies, rounds and arms.
func several(t *testing.T) string {
	var sets []*results.Set
	for i, name := range []string{"one", "two & <three>", "four"} {
		f := threePolicies(func(f *resultstest.Folder) {
			f.Sidecar.Title, f.Sidecar.Notes = "A title", "The first\nparagraph.\n\nThe second."
			f.Change = func(id *results.Identity) { id.Environment.Name = "env"; trains(id) }
			if i == 2 {
				f.Policies, f.Kinds, f.Rounds = []string{"Never", "pSGLD", "Uniform"}, []resultstest.Kind{resultstest.Plain, resultstest.Sampler}, 100
				f.Change = func(id *results.Identity) { id.Protocol = bandit.Protocol{Rounds: 100, Pulls: 20} }
			}
		})
		set := resultstest.Write(t, t.TempDir(), f)
		set.Label = name
		sets = append(sets, set)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	must.OK(t, page.Write(path, sets, page.Options{}))
	return path
}

// move moves the pointer without a click.
func (s *script) move(x, y float64) {
	s.do(chromedp.MouseEvent("mouseMoved", x, y))
	s.settle()
}

// hover moves the pointer into the middle of an element.
func (s *script) hover(selector string) { s.move(s.middle(selector)) }

// away moves the pointer to a corner and removes the focus.
func (s *script) away(string) {
	eval[bool](s.tab, "(document.activeElement?.blur(), true)")
	s.move(5, 5)
}

func (s *script) doubleClick(selector string) {
	x, y := s.middle(selector)
	s.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	s.away("")
}

// drag moves the pointer, with its button pressed, across the middle of an element.
func (s *script) drag(selector string) {
	x, y := s.middle(selector)
	s.move(x-100, y)
	s.do(chromedp.MouseEvent("mousePressed", x-100, y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.MouseEvent("mouseMoved", x, y, chromedp.ButtonLeft), chromedp.MouseEvent("mouseMoved", x+100, y, chromedp.ButtonLeft),
		chromedp.MouseEvent("mouseReleased", x+100, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	s.away("")
}

func (s *script) tap(selector string) {
	s.do(chromedp.TapXY(s.middle(selector)))
	s.settle()
}

// finger sends a touch event to the chart of regret. The arguments are its type (touchStart, touchMove or touchEnd) and each finger's
// distance from the middle.
func (s *script) finger(arguments string) {
	x, y := s.middle(`[data-chart="regret"] .u-over`)
	fields := strings.Fields(arguments)
	points := []*input.TouchPoint{}
	for i, field := range fields[1:] {
		away := 0.0
		fmt.Sscan(field, &away)
		points = append(points, &input.TouchPoint{X: x + away, Y: y, ID: new(float64(i))})
	}
	s.call(input.DispatchTouchEvent.Method, input.DispatchTouchEventParams{Type: input.DispatchTouchEventType(fields[0]), TouchPoints: points})
	s.settle()
}
