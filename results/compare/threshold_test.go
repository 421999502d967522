package compare

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/place"
	"banditsim/results"
)

func TestParseThreshold(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"regret(pSGLD) < 4000", "regret pSGLD at 7, < 4000"},
		{"  post_burn_in_regret( pSGLD )>=-1.5e3 ", "post_burn_in_regret pSGLD at 23, >= -1500"},
		{`realised_regret("hot (1) pSGLD")<=0`, "realised_regret hot (1) pSGLD at 17, <= 0"},
		{"regret(pSGLD temperature=0.1) - regret(p-q) > 0", "regret pSGLD temperature=0.1 at 7, regret p-q at 39, > 0"},
	} {
		got, err := ParseThreshold(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var b strings.Builder
		for _, term := range got.Terms {
			fmt.Fprintf(&b, "%s %s at %d, ", term.Metric, term.Policy, term.At)
		}
		fmt.Fprintf(&b, "%s %g", got.op, got.limit)
		must.That(t, b.String() == c.want && got.Text == c.text, "%q: got %s, want %s", c.text, &b, c.want)
	}
}

func TestParseThresholdPointsAtMistakes(t *testing.T) {
	for _, c := range []struct{ text, at, want string }{
		{"", "", "a metric is missing"},
		{"4000 > regret(p)", "4000 >", `no metric "4000"`},
		{"regrt(p) < 1", "regrt", "did you mean regret?"},
		{"realized_regret(p) < 1", "realized", "did you mean realised_regret?"},
		{"regret p < 1", "p <", "a policy in parentheses is missing"},
		{"regret() < 1", ") <", "the name of a policy is missing"},
		{`regret("") < 1`, `")`, "the name of a policy is missing"},
		{`regret("p) < 1`, "p)", "closing quote"},
		{"regret(p < 1", "", "closing parenthesis"},
		{"regret(p)", "", "want <, <=, > or >=, or - and a second metric"},
		{"regret(p) = 1", "= 1", "an operator is missing"},
		{"regret(p) - regret(q) - regret(r) < 1", "- regret(r)", "want <, <=, > or >="},
		{"regret(p) - 3 < 1", "3 <", `no metric "3"`},
		{"regret(p) <", "", "the limit is missing"},
		{"regret(p) < many", "many", "is not a number"},
		{"regret(p) < 4,000", "4,000", "is not a number"},
		{"regret(p) < 1 2", "1 2", "is not a number"},
		{"regret(p) < nan", "nan", "is not a number"},
		{"regret(p) < inf", "inf", "is not a number"},
		{"regret(p) < 1e999", "1e999", "64 bits"},
		{"regret(" + strings.Repeat("p", 1000) + ") < 1", "ppppppp) <", "this is no threshold"},
	} {
		_, err := ParseThreshold(c.text)
		var at *place.TextError
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.text, err, c.want)
			continue
		}
		if rest := c.text[at.Offset:]; !strings.HasPrefix(rest, c.at) || c.at == "" && rest != "" {
			t.Errorf("%q: the error points at %q, want %q", c.text, rest, c.at)
		}
	}
}

func FuzzParseThreshold(f *testing.F) {
	for _, s := range []string{"regret(p) < 4000", `post_burn_in_regret("a b") - regret(τ)>=-1e3`, "regret(", "regret(p)<", "", "realised_regret(p) ≤ 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseThreshold(s)
		if err != nil {
			var at *place.TextError
			must.Hold(t, errors.As(err, &at) && at.Offset >= 0 && at.Offset <= len(s), "%q: the error %v has no place", s, err)
			return
		}
		must.That(t, !math.IsNaN(got.limit) && !math.IsInf(got.limit, 0) && len(got.Terms) >= 1 && len(got.Terms) <= 2,
			"%q: %+v", s, got)
		for _, term := range got.Terms {
			must.That(t, strings.HasPrefix(s[term.At:], term.Policy) && term.Policy != "",
				"%q: policy %q is not at %d", s, term.Policy, term.At)
		}
	})
}

// trials returns a policy's trials: seed i has the i-th of the expected regrets, half of it after burn-in, and 1 more of
// realised regret. NaN stands for a failed trial, −1 for none.
func trials(label string, regrets ...float64) results.PolicyRecords {
	p := results.PolicyRecords{Label: label}
	for i, r := range regrets {
		totals := results.Totals{Expected: r, Realised: r + 1, ExpectedAfter: r / 2, RealisedAfter: r/2 + 1}
		if math.IsNaN(r) {
			totals.Failure = &results.Failure{Round: 3, Cause: "it would not"}
		}
		if r != -1 {
			p.Records = append(p.Records, results.Record{Seed: uint64(i + 1), Totals: totals})
		}
	}
	return p
}

func TestJudge(t *testing.T) {
	set := &results.Set{Policies: []results.PolicyRecords{
		trials("p", 10, 20, 30), trials("q", 11, -1, 29, 50), trials("alone", -1, -1, -1, -1, 7), trials("fails", 1, math.NaN(), 2),
	}}
	set.Conditions.Protocol.Rounds, set.Conditions.Protocol.Pulls, set.Conditions.Protocol.BurnIn = 10, 20, 20
	for _, c := range []struct {
		text, want string
		met        bool
	}{
		// The t-interval of 10, 20, 30 is ±10/√3 · 4.3027 = 24.8, with the 97.5 % quantile of t with 2 degrees of freedom.
		{"regret(p) < 20.5", "20 ± 25 over 3 seeds: met", true},
		{"expected_regret(p) < 19", "20 ± 25 over 3 seeds: missed", false},
		{"regret(p) < 20", "20 ± 25 (mean 20) over 3 seeds: missed", false},
		{"regret(p) <= 20", "met", true},
		{"regret(p) >= 20", "met", true},
		{"regret(p) > 20", "missed", false},
		{"realised_regret(p) >= 21", "21 ± 25", true},
		{"post_burn_in_regret(p) <= 10", "10 ± 12", true},
		{"post_burn_in_expected_regret(p) <= 10", "10 ± 12", true},
		{"post_burn_in_realised_regret(p) <= 11", "11 ± 12", true},
		{"regret(p) - regret(q) <= 0", "(mean 0) over 2 seeds: met", true}, // seeds 1 and 3: −1 and 1
		{"regret(q) - regret(p) > 0.5", "over 2 seeds: missed", false},
		{"regret(alone) < 8", "7.00 over 1 seed: met", true}, // no interval
		{"regret(p) - regret(alone) < 100", "share no seed: missed", false},
		{"regret(fails) < 100", "1 failed: seed 2: missed", false},
		{"regret(p) - regret(fails) < 100", "fails: 1 failed: seed 2: missed", false},
		{"regret(nobody) < 100", "no trial of nobody: missed", false},
	} {
		threshold := must.Get(ParseThreshold(c.text))(t)
		j := threshold.Judge(set, set.Find)
		if got := j.String(); j.Met != c.met || !strings.HasPrefix(got, c.text+": ") || !strings.HasSuffix(got, "met") && !strings.HasSuffix(got, "missed") || !strings.Contains(got, c.want) {
			t.Errorf("%s; want %s", got, c.want)
		}
	}
	set.Conditions.Protocol.BurnIn = 1000
	threshold := must.Get(ParseThreshold("post_burn_in_regret(p) < 100"))(t)
	if j := threshold.Judge(set, set.Find); j.Met || !strings.Contains(j.String(), "no round follows burn-in: missed") {
		t.Errorf("without rounds after burn-in: %s", j)
	}
}

// TestRenamed checks that Renamed replaces the policies of a threshold and that its text parses to the same threshold.
func TestRenamed(t *testing.T) {
	for _, c := range []struct {
		text     string
		policies []string
		want     string
	}{
		{"regret(A) < 1", []string{"A alpha=2"}, "regret(A alpha=2) < 1"},
		{`regret( "A" )-realised_regret(A on wheel) <= 1`, []string{"long name", "B"}, `regret( "long name" )-realised_regret(B) <= 1`},
		{"regret(A) - regret(A) > 0", []string{"A", "AA"}, "regret(A) - regret(AA) > 0"},
	} {
		parsed := must.Get(ParseThreshold(c.text))(t)
		got := parsed.Renamed(c.policies)
		again, err := ParseThreshold(got.Text)
		must.That(t, err == nil && got.Text == c.want && reflect.DeepEqual(got, again),
			"%s with %q: %+v, want %s (error %v)", c.text, c.policies, got, c.want, err)
		must.That(t, parsed.Text == c.text && parsed.Terms[0].Policy == "A", "%s was changed to %+v", c.text, parsed)
	}
}
