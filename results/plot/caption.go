package plot

import (
	"fmt"
	"strings"

	"banditsim/internal/figure"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// captions returns the kind of regret, the seeds, the band, the protocol and what is left out.
func captions(sets []*results.Set, o *Options, legend figure.Legend, without []string) []string {
	about := o.Metric.About
	switch o.View {
	case compare.Window:
		about += fmt.Sprintf(" Each point is the mean of the %s before it.", words.Count(windowWidth(sets[0], o), "round"))
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
	for _, set := range sets {
		begin := seedsCaption(set, o)
		if len(sets) > 1 {
			begin = panelName(set, sets) + ": " + strings.ToLower(begin[:1]) + begin[1:]
		}
		if len(sets) == 1 {
			lines = append(lines, begin+about)
		}
		protocol := set.Conditions.ProtocolName()
		line := strings.ToUpper(protocol[:1]) + protocol[1:] + "."
		if len(sets) > 1 {
			line = begin + line
		} else if legend == figure.Right {
			line += endsCaption(o)
		}
		if d := set.Conditions.Environment.Data; d.SHA256 != "" {
			line += fmt.Sprintf(" SHA-256 of the data: %.12s…", d.SHA256)
		}
		lines = append(append(lines, line), leftOut(set)...)
	}
	if len(sets) > 1 {
		lines = append([]string{about}, lines...)
	}
	if len(without) > 0 {
		lines = append(lines, "Not shown, as they do no gradient steps: "+strings.Join(without, ", ")+".")
	}
	return lines
}

// seedsCaption returns the number of seeds and the band.
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

// endsCaption says what the numbers at the ends of curves are.
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

func windowWidth(set *results.Set, o *Options) int {
	return compare.WindowWidth(min(o.To, set.Conditions.Protocol.Rounds) - o.From + 1)
}
