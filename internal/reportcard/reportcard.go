// Package reportcard runs checks and writes their results as text or JSON.
package reportcard

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/pool"
	"banditsim/internal/report"
	"banditsim/internal/verify"
	"banditsim/internal/wholefile"
)

// A Card has the results of the checks of several parts, as the lab's verify and 'banditsim plugin verify' print them.
type Card struct {
	Grade      verify.Grade `json:"grade"`
	Seed       uint64       `json:"seed"`
	Limit      float64      `json:"limit"` // largest allowed deviation in standard errors
	Passed     bool         `json:"passed"`
	Numbers    int          `json:"numbers"`    // how many numbers were compared
	Statistics int          `json:"statistics"` // how many of them have a standard error
	Cards      []Part       `json:"cards"`

	Failed []string `json:"-"` // names of the parts that failed
	worst  float64  // largest deviation in standard errors
}

// A Part is a subject of checks, such as a sampler. Run copies parts to Card.Cards, and sets Passed and Results there.
type Part struct {
	Name    string         `json:"name"`
	Doc     string         `json:"doc"`  // description of the subject in one line
	Kind    string         `json:"kind"` // "sampler" (checked for exactness), or "posterior", "policy" or "environment" (for its contract)
	Passed  bool           `json:"passed"`
	Results []cardResult   `json:"results"`
	Checks  []verify.Check `json:"-"`
}

// A cardResult is the JSON form of a verify.Result. Numbers that are missing or not finite are nil.
type cardResult struct {
	Check     string         `json:"check"`
	Proves    string         `json:"proves"`
	Statistic string         `json:"statistic"`
	Verdict   verify.Verdict `json:"verdict"`
	Got       *float64       `json:"got,omitempty"`
	Want      *float64       `json:"want,omitempty"`
	StdErr    *float64       `json:"std_err,omitempty"`
	Off       *float64       `json:"off,omitempty"` // deviation in standard errors
	Tolerance *float64       `json:"tolerance,omitempty"`
	Numbers   int            `json:"numbers"`
	Detail    string         `json:"detail,omitempty"`

	result verify.Result
}

// Run runs the checks of all parts, several at a time, and returns their card. The results do not depend on the number
// of workers. done, if not nil, is called after each check with the number of checks done and the total number; calls
// do not overlap. When ctx ends, Run starts no further check and returns the error of ctx.
func Run(ctx context.Context, parts []Part, o verify.Options, workers int, done func(done, total int)) (*Card, error) {
	var checks []verify.Check
	for _, p := range parts {
		checks = append(checks, p.Checks...)
	}
	results := make([][]verify.Result, len(checks))
	p := pool.Pool{Workers: workers, Done: done}
	err := p.Run(ctx, len(checks), func(i int) error {
		results[i] = checks[i].Run(o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := &Card{Grade: o.Grade, Seed: o.Seed, Limit: verify.Limit}
	for _, p := range parts {
		own := slices.Concat(results[:len(p.Checks)]...)
		results = results[len(p.Checks):]
		p.Passed = !verify.Failed(own)
		if !p.Passed && !slices.Contains(r.Failed, p.Name) {
			r.Failed = append(r.Failed, p.Name)
		}
		for _, result := range own {
			p.Results = append(p.Results, newCardResult(result))
			if result.Verdict == verify.Skip || result.Verdict == verify.Note {
				continue
			}
			r.Numbers += result.Numbers
			if result.StdErr > 0 {
				r.Statistics += result.Numbers
			}
			if off := math.Abs(result.Off); off > r.worst { // false for NaN
				r.worst = off
			}
		}
		r.Cards = append(r.Cards, p)
	}
	r.Passed = len(r.Failed) == 0
	return r, nil
}

func newCardResult(r verify.Result) cardResult {
	c := cardResult{
		Check: r.Check, Proves: r.Proves, Statistic: r.Statistic, Verdict: r.Verdict, Numbers: r.Numbers, Detail: r.Detail, result: r,
	}
	number := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	switch {
	case r.StdErr > 0:
		c.Got, c.StdErr = number(r.Got), number(r.StdErr)
		if r.Verdict != verify.Note {
			c.Want, c.Off = number(r.Want), number(r.Off)
		}
	case r.Tolerance > 0:
		c.Got, c.Want, c.Tolerance = number(r.Got), number(r.Want), number(r.Tolerance)
	case r.Got != 0:
		c.Got = number(r.Got)
	}
	return c
}

// Keep writes card.txt and card.json to dir and returns their paths. The argument all is that of Write.
func (r *Card) Keep(dir string, all bool) (paths []string, err error) {
	for _, f := range []report.Format{report.Text, report.JSON} {
		path := filepath.Join(dir, map[report.Format]string{report.Text: "card.txt", report.JSON: "card.json"}[f])
		paths = append(paths, path)
		if err := wholefile.WriteFunc(path, func(w io.Writer) error { return r.Write(w, f, all) }); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// Write writes the card as JSON, with all results, or as text with a block per part. If all is set, a block has a line
// per result. Otherwise a check has a line per failure or, without any, one for its worst pass. Notes and skips follow.
func (r *Card) Write(w io.Writer, f report.Format, all bool) error {
	if f == report.JSON {
		return report.WriteJSON(w, r)
	}
	var b strings.Builder
	for i, c := range r.Cards {
		if i > 0 {
			b.WriteByte('\n')
		}
		what := map[string]string{"sampler": "exactness", "posterior": "contract", "policy": "contract of a policy", "environment": "contract of an environment"}[c.Kind]
		fmt.Fprintf(&b, "%s, %s: %s\n", c.Name, what, c.Doc)
		for _, line := range report.NewTable(cardColumns, c.rows(all)).Lines() {
			fmt.Fprintln(&b, line)
		}
	}
	verdict := "all passed"
	if !r.Passed {
		verdict = "failed: " + strings.Join(r.Failed, ", ")
	}
	fmt.Fprintf(&b, "\n%d numbers compared, %d of them by their standard errors (SE): the worst is %.2f off, the limit is %g.\nGrade %s, seed %d: %s.\n",
		r.Numbers, r.Statistics, r.worst, r.Limit, r.Grade, r.Seed, verdict)
	_, err := io.WriteString(w, b.String())
	return err
}

// rows returns the lines of the part's block in text. The argument all is that of Write.
func (p *Part) rows(all bool) []cardResult {
	var rows []cardResult
	for rest := p.Results; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Check == rest[0].Check {
			n++
		}
		group := rest[:n]
		rest = rest[n:]
		if !all {
			group = condensed(group)
		}
		for k, r := range group {
			if k > 0 {
				r.Check = "" // the same as in the line above
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// condensed returns a check's failures or else its worst pass, with Numbers summed over passes; then notes and skips.
func condensed(results []cardResult) []cardResult {
	var failures, rest []cardResult
	var worst cardResult
	badness, numbers := -1.0, 0
	for _, r := range results {
		switch r.Verdict {
		case verify.Fail:
			failures = append(failures, r)
		case verify.Pass:
			numbers += r.Numbers
			if b := r.result.Badness(); b > badness {
				worst, badness = r, b
			}
		default:
			rest = append(rest, r)
		}
	}
	if len(failures) > 0 {
		return append(failures, rest...)
	}
	if badness < 0 {
		return rest
	}
	worst.Numbers = numbers
	if badness == 0 && len(results) > 1 { // all numbers are exact: show what the check proves
		worst.result.Statistic, worst.result.Detail = worst.Proves, ""
	}
	return append([]cardResult{worst}, rest...)
}

var cardColumns = report.Columns[cardResult]{
	{Header: "  ", Text: func(r cardResult) string { return "  " + string(r.Verdict) }},
	{Header: "check", Text: func(r cardResult) string { return r.Check }},
	{Header: "got", Text: func(r cardResult) string { return fiveDigits(r.Got) }},
	{Header: "want", Text: func(r cardResult) string { return fiveDigits(r.Want) }},
	{Header: "off", Text: offText},
	{Header: "of what", Text: whatText},
}

func fiveDigits(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.5g", *v)
}

func offText(c cardResult) string {
	switch r := c.result; {
	case c.Off != nil:
		return fmt.Sprintf("%+.2f SE", *c.Off)
	case c.StdErr != nil:
		return fmt.Sprintf("± %.2g", *c.StdErr)
	case c.Tolerance != nil:
		return fmt.Sprintf("%.0e of %.0e", math.Abs(r.Got-r.Want), r.Tolerance)
	case r.Verdict == verify.Pass && c.Got == nil:
		return "holds"
	}
	return ""
}

func whatText(c cardResult) string {
	what := c.result.Statistic
	if c.result.Detail != "" {
		what += " (" + c.result.Detail + ")"
	}
	if c.Numbers > 1 {
		what += fmt.Sprintf(" [%d numbers]", c.Numbers)
	}
	return what
}
