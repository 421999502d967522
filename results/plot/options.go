package plot

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/figure"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Options are the options of a figure of regret.
type Options = figure.Options

// DefaultOptions returns the options of a figure of cumulative expected regret by round, with t-intervals.
func DefaultOptions() Options { return figure.DefaultOptions() }

// name returns the name of a policy in the figure, given its label.
func name(o *Options, policy string) string {
	if l, ok := o.Labels[policy]; ok {
		return l
	}
	return policy
}

// looks returns the looks of policies by label. Unless the options set them, policy i has color i of Palette and dash i
// of Dashes, modulo their lengths. If the options give a policy q the color that p has by this rule, p gets that of q.
func looks(o *Options, policies []string) map[string]Look {
	all := make(map[string]Look)
	for i, p := range policies {
		l := Look{Color: i % len(Palette()), Dash: i % len(Dashes())}
		if c, ok := o.Colors[p]; ok {
			l.Own = (*uint32)(&c)
		}
		if line, ok := o.Lines[p]; ok {
			l.Dash = slices.Index(figure.Lines(), line)
		}
		all[p] = l
	}
	for i, p := range policies {
		for _, q := range policies {
			if l := all[p]; l.Own == nil && all[q].Own != nil && *all[q].Own == Palette()[i%len(Palette())].Figure {
				l.Color = all[q].Color
				all[p] = l
			}
		}
	}
	return all
}

// captions returns the captions of a figure: the kind of regret, the seeds, the band, the protocol, and which trials
// and policies are left out. The argument without lists the policies left out because they do no gradient steps.
func captions(sets []*results.Set, o *Options, legend figure.Legend, without []string) []string {
	about := o.Metric.About
	switch o.View {
	case compare.Window:
		widths := lists.Each(sets, func(s *results.Set) int {
			return compare.WindowWidth(min(o.To, s.Conditions.Protocol.Rounds) - o.From + 1)
		})
		low, high := slices.Min(widths), words.Count(slices.Max(widths), "round")
		if low < slices.Max(widths) { // trials of some sets are longer
			high = words.Int(low) + " to " + high
		}
		about += fmt.Sprintf(" Each point is the mean of the %s before it.", high)
	case compare.Rate:
		about += " Each point is the mean of all rounds before it."
	}
	switch o.X {
	case figure.Steps:
		about += " Gradient steps of all chains together."
	case figure.Seconds:
		about += " Wall time: the mean of the trials' times, in proportion to the rounds."
	}
	if o.LogX || o.LogY {
		about += " Logarithmic axes leave out what is not above zero."
	}
	var lines []string
	if len(sets) > 1 {
		lines = []string{about}
	}
	for _, set := range sets {
		seeds, protocol := seedsCaption(set, o), set.Conditions.ProtocolName()
		line := strings.ToUpper(protocol[:1]) + protocol[1:] + "."
		if len(sets) > 1 {
			line = panelName(set, sets) + ": " + strings.ToLower(seeds[:1]) + seeds[1:] + line
		} else {
			lines = append(lines, seeds+about)
		}
		if len(sets) == 1 && legend == figure.Right {
			line += endsCaption(o)
		}
		if d := set.Conditions.Environment.Data; d.SHA256 != "" {
			line += fmt.Sprintf(" SHA-256 of the data: %.12s…", d.SHA256)
		}
		lines = append(append(lines, line), leftOut(set)...)
	}
	return append(lines, notShown("they do no gradient steps", without)...)
}

// notShown returns a caption that names the policies that a figure leaves out, or nil if there are none.
func notShown(why string, policies []string) []string {
	if len(policies) == 0 {
		return nil
	}
	return []string{"Not shown, as " + why + ": " + strings.Join(policies, ", ") + "."}
}

func seedsCaption(set *results.Set, o *Options) string {
	seeds, several := compare.Totals(set).SeedsText()
	switch band := o.Band.About(); {
	case !several:
		seeds = strings.ToUpper(seeds[:1]) + seeds[1:] + ": no interval. "
	case o.Band == compare.SeedsBand:
		seeds = "Mean over " + seeds + "; thin lines: " + band + ". "
	case band == "":
		seeds = "Mean over " + seeds + ". "
	default:
		seeds = "Mean over " + seeds + "; bands: " + band + ". "
	}
	if o.From > 1 {
		seeds += fmt.Sprintf("Regret before round %s does not count. ", words.Int(o.From))
	}
	return seeds
}

func endsCaption(o *Options) string {
	last := "the last round"
	if o.To != compare.LastRound {
		last = "round " + words.Int(o.To)
	}
	if o.View != compare.Cumulative {
		return " Numbers at the right: the value at " + last + "."
	}
	return " Numbers at the right: regret after " + last + "."
}

// horizontal is the horizontal axis for one policy.
type horizontal struct {
	label string
	at    func(round int) float64 // returns the position of a round
}

var errNoSteps = errors.New("it does no gradient steps")

// newXAxis returns the axis x for the policy called label, or errNoSteps for figure.Steps if it does no gradient steps.
func newXAxis(set *results.Set, x figure.X, label string) (horizontal, error) {
	protocol := set.Conditions.Protocol
	switch x {
	case figure.Pulls:
		return horizontal{"Pull", func(round int) float64 { return float64(protocol.PullsUntil(round)) }}, nil
	case figure.Steps:
		each, before, err := GradientSteps(set, set.Find(label).Policy)
		return horizontal{"Gradient step", func(round int) float64 { return float64(each * max(round-before, 0)) }}, err
	case figure.Seconds:
		seconds, err := meanSeconds(set.Find(label).Records)
		return horizontal{"Wall time (s)", func(round int) float64 { return seconds * float64(round) / float64(protocol.Rounds) }}, err
	}
	return horizontal{"Round of " + words.Count(protocol.Pulls, "pull"), func(round int) float64 { return float64(round) }}, nil
}

// GradientSteps returns the number of gradient steps, of all chains together, in each round with training. It also
// returns the number of rounds before the first training, in which the replay buffer has too few rows. It returns an
// error if the policy does no gradient steps, or if rewards are delayed.
func GradientSteps(set *results.Set, p results.Policy) (each, before int, err error) {
	var o struct {
		Posterior struct {
			Steps      int `json:"steps"`
			Chains     int `json:"chains"`
			Buffer     int `json:"buffer"`
			TrainAfter int `json:"train_after"`
		} `json:"posterior"`
	}
	if err := json.Unmarshal(p.Options, &o); err != nil || o.Posterior.Steps == 0 {
		return 0, 0, errNoSteps
	}
	protocol := set.Conditions.Protocol
	switch n := o.Posterior; {
	case !protocol.Delay.IsZero():
		return 0, 0, errors.New("rewards are delayed, so that the rounds of the gradient steps are unknown")
	case n.TrainAfter >= n.Buffer:
		return 0, 0, errNoSteps
	default:
		return n.Steps * max(n.Chains, 1), n.TrainAfter / protocol.Pulls, nil
	}
}

func meanSeconds(records []results.Record) (float64, error) {
	sum, n := 0.0, 0
	for _, rec := range results.Finished(records) {
		s, err := rec.Sidecar()
		if err != nil {
			return 0, fmt.Errorf("the time of seed %d is unknown: %w", rec.Seed, err)
		}
		sum += s.WallTime()
		n++
	}
	return sum / float64(n), nil
}
