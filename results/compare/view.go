package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/results/stats"
)

// A View is what a curve shows of the regret.
type View string

// The views.
const (
	Cumulative View = "cumulative"
	Window     View = "window" // the mean of a round over windows of rounds, without what came before
	Rate       View = "rate"   // the mean of a round since the first
)

// Views returns all views.
func Views() []View { return []View{Cumulative, Window, Rate} }

// A Band is what a curve shows of the seeds beside their mean.
type Band string

// The bands. Intervals hold at each round alone, with stats.Confidence.
const (
	TBand          Band = "t"           // Student's t-interval of the mean
	BootstrapTBand Band = "bootstrap-t" // bootstrap-t interval of the mean
	quantileBand   Band = "quantile"    // from 10 to 90 % of the seeds
	SeedsBand      Band = "seeds"       // the curve of every seed
	noBand         Band = "none"
)

// Bands returns all bands.
func Bands() []Band { return []Band{TBand, BootstrapTBand, quantileBand, SeedsBand, noBand} }

// About returns a phrase for captions, such as "95 % t-interval at each round"; "" for noBand.
func (b Band) About() string {
	return map[Band]string{
		TBand:          "95 % t-interval at each round",
		BootstrapTBand: "95 % bootstrap-t interval at each round",
		quantileBand:   "10 to 90 % of the seeds at each round",
		SeedsBand:      "every seed",
	}[b]
}

// LastRound as CurveOptions.To is the last round of the protocol.
const LastRound = math.MaxInt

// CurveOptions say what Curves computes.
type CurveOptions struct {
	Metric *Metric
	View   View
	Band   Band
	From   int // the first round that counts, from 1
	To     int // the last, or LastRound
	Points int // at most so many rounds per curve, at least 2
	// Log spaces the points evenly in the logarithm of the round.
	Log bool
}

// marks returns the rounds at which curves are computed, after the round before the first.
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

// WindowWidth returns the rounds of a window of the view Window: the least 1, 2 or 5 times a power of
// ten of which at most 50 fill so many rounds.
func WindowWidth(rounds int) int {
	for power := 1; ; power *= 10 {
		for _, m := range []int{1, 2, 5} {
			if m*power*50 >= rounds {
				return m * power
			}
		}
	}
}

// of returns what the view shows of the cumulative regret at marks.
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

// estimate returns a mean with its t-interval with the band's ends at mark i in its place.
func (b Band) estimate(e stats.Estimate, values [][]float64, i int) stats.Estimate {
	at := make([]float64, len(values))
	for k, v := range values {
		at[k] = v[i]
	}
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
