package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/results/stats"
)

// A View is the form in which a curve shows regret.
type View string

// The views.
const (
	Cumulative View = "cumulative"
	Window     View = "window" // mean regret per round in each of successive windows of rounds
	Rate       View = "rate"   // mean regret per round since the beginning of the curve
)

// Views returns all views.
func Views() []View { return []View{Cumulative, Window, Rate} }

// A Band is the form in which a curve shows the spread of the seeds around their mean.
type Band string

// The bands. Intervals hold with probability stats.Confidence at each single round, not at all rounds at once.
const (
	TBand          Band = "t"           // Student's t-interval of the mean
	BootstrapTBand Band = "bootstrap-t" // bootstrap-t interval of the mean
	quantileBand   Band = "quantile"    // from the 10 % to the 90 % quantile of the seeds
	SeedsBand      Band = "seeds"       // one curve per seed
	noBand         Band = "none"
)

// Bands returns all bands.
func Bands() []Band { return []Band{TBand, BootstrapTBand, quantileBand, SeedsBand, noBand} }

// About returns a description for captions, such as "95 % t-interval at each round"; "" for noBand.
func (b Band) About() string {
	return map[Band]string{
		TBand:          "95 % t-interval at each round",
		BootstrapTBand: "95 % bootstrap-t interval at each round, from four seeds on",
		quantileBand:   "10 to 90 % of the seeds at each round",
		SeedsBand:      "every seed",
	}[b]
}

// LastRound as CurveOptions.To means the last round of the protocol.
const LastRound = math.MaxInt

// CurveOptions are the options of Curves.
type CurveOptions struct {
	Metric *Metric
	View   View
	Band   Band
	From   int // first round that counts, from 1
	To     int // last round, or LastRound
	Points int // maximum number of points per curve, at least 2; ignored with View Window
	// Log spaces the points evenly in the logarithm of the distance from round From − 1. View Window ignores it.
	Log bool
}

// marks returns the rounds at which curves are computed, preceded by the round before From.
func (o CurveOptions) marks(rounds int) ([]int, error) {
	if o.To == LastRound {
		o.To = rounds
	}
	switch {
	case o.Metric == nil:
		return nil, errors.New("compare: curves: no metric")
	case !slices.Contains(Views(), o.View) || !slices.Contains(Bands(), o.Band):
		return nil, fmt.Errorf("compare: curves: view %q with band %q, want one of %q and one of %q", o.View, o.Band, Views(), Bands())
	case o.From < 1 || o.From > rounds:
		return nil, fmt.Errorf("compare: curves: from round %d, want 1 to %d", o.From, rounds)
	case o.To < o.From || o.To > rounds:
		return nil, fmt.Errorf("compare: curves: to round %d, want %d to %d", o.To, o.From, rounds)
	case o.Points < 2:
		return nil, fmt.Errorf("compare: curves: %d points, want at least 2", o.Points)
	case o.View == Window:
		marks := []int{o.From - 1}
		for width := WindowWidth(o.To - o.From + 1); marks[len(marks)-1] < o.To; {
			marks = append(marks, min(marks[len(marks)-1]+width, o.To))
		}
		return marks, nil
	case o.Log:
		return ThinLog(o.From-1, o.To, o.Points), nil
	}
	return Thin(o.From-1, o.To, o.Points), nil
}

// WindowWidth returns the number of rounds per window of View Window for a curve over the given number of rounds: the
// smallest of the numbers 1, 2, 5, 10, 20, 50, … with which there are at most 50 windows.
func WindowWidth(rounds int) int {
	for power := 1; ; power *= 10 {
		for _, m := range []int{1, 2, 5} {
			if m*power*50 >= rounds {
				return m * power
			}
		}
	}
}

// of returns what the view shows, given the cumulative regret at marks.
func (v View) of(regret []float64, marks []int) []float64 {
	if v == Cumulative {
		return regret
	}
	shown := make([]float64, len(marks)-1)
	for i := range shown {
		since := 0
		if v == Window {
			since = i
		}
		shown[i] = (regret[i+1] - regret[since]) / float64(marks[i+1]-marks[since])
	}
	return shown
}

// estimate returns the estimate e at mark i with the interval of the band in place of its t-interval. values has the
// regret by seed and mark; it may be nil for TBand and noBand.
func (b Band) estimate(e stats.Estimate, values [][]float64, i int) stats.Estimate {
	at := lists.Each(values, func(v []float64) float64 { return v[i] })
	switch {
	case b == BootstrapTBand:
		e.Low, e.High = stats.BootstrapT.Of(at, 1)
	case b == quantileBand && len(at) > 1:
		slices.Sort(at)
		e.Low, e.High = stats.Quantile(at, 0.1), stats.Quantile(at, 0.9)
	case b != TBand:
		e.Low, e.High = math.NaN(), math.NaN()
	}
	return e
}
