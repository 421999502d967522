package logged

import (
	"fmt"
	"math"

	"banditsim/internal/words"
	"banditsim/results/stats"
)

// Limits for a verdict. docs/logged.md has the coverage of intervals on logs inside and outside of them.
const (
	minESS     = 30  // smallest effective sample size
	maxShare   = 0.1 // largest share of one row in the sum of all weights
	meanErrors = 4.0 // largest distance of the mean weight from 1, in standard errors
	maxOff     = .01 // largest distance of the mean weight from 1 that is put down to rounded propensities
	maxUnseen  = .01 // largest share of a policy's pulls that may be of arms that the log never has
	minMatched = 30  // smallest number of rows that a replay accepts
	maxBias    = 0.1 // largest relative bias of the weights from errors of estimated propensities
	minRare    = 20  // smallest Diagnostics.Rare: the (Poisson) distribution of a lower count is far from normal
)

// Diagnostics say whether a log can tell the value of a policy, its mean reward per pull. A row's weight w is the
// policy's probability of the logged arm over its propensity. Fields about weights are NaN for a replay.
type Diagnostics struct {
	Policy   string
	Rows     int     // rows of the log, or those that a replay was offered
	Used     int     // rows whose weight is above 0, or those that a replay accepted
	ESS      float64 // effective sample size (Σw)²/Σw²; 0 if all weights are 0
	Largest  float64 // largest weight
	Share    float64 // share of the largest weight in the sum of all
	Mean     float64 // mean weight: near 1 if the propensities are right and the log has every arm that the policy pulls
	MeanErr  float64 // standard error of Mean
	Unlogged float64 // share of rows whose arm the policy never takes: their weight is 0
	Rare     float64 // effective number of weighted rows whose reward is not the most common one

	Wrong   bool // no interval holds: propensities are wrong, or the policy pulls arms that the log never has
	Replay  bool // the policy learned by replay
	Trained bool // for each row, the policy was trained on the other folds
	// Draws: the policy reports no probabilities, and chose another arm when it was asked again. The first choice counts.
	Draws bool
	// Against has the reasons why there is no verdict. It is empty if there is one.
	Against []string
	// Cure says what would allow a verdict, such as another log; "" if there is one.
	Cure string
}

// Verdict reports whether the log can tell the value of the policy.
func (d *Diagnostics) Verdict() bool { return len(d.Against) == 0 }

// refuse puts a reason why no interval holds before the other reasons, and sets Wrong and Cure.
func (d *Diagnostics) refuse(reason, cure string) {
	d.Wrong = true
	d.Against, d.Cure = append([]string{reason}, d.Against...), cure
}

// diagnose judges the weights of a policy on a log with the given rewards, propensities and number of arms. params is
// the number of parameters per arm that the propensities were estimated with, 0 for recorded ones.
func diagnose(weight, reward, propensity []float64, arms, params int) Diagnostics {
	d := Diagnostics{Rows: len(weight)}
	var sum, squares, inverses float64
	var earned stats.Moments
	for i, w := range weight {
		sum += w
		earned.Add(w * reward[i])
		inverses += w / propensity[i]
		squares += float64(w * w)
		if w > 0 {
			d.Used++
		}
		d.Largest = max(d.Largest, w)
	}
	n := float64(len(weight))
	d.Unlogged = 1 - float64(d.Used)/n
	d.Mean = sum / n
	d.MeanErr = math.Sqrt(max(squares/n-float64(d.Mean*d.Mean), 0) / max(n-1, 1))
	if sum > 0 {
		d.ESS, d.Share = float64(sum*sum)/squares, d.Largest/sum
	}
	switch expected := n * n / squares; {
	case d.ESS < minESS:
		d.Against = append(d.Against, fmt.Sprintf("the effective sample size is %s, want at least %d", words.Amount(d.ESS), minESS))
	case expected < minESS:
		// More large weights than expected make the sum of the weights too large, and with it the ESS and the estimate.
		// A log that passes only because of them passes by luck, and intervals of such logs hold less often than they claim.
		d.Against = append(d.Against, fmt.Sprintf("the effective sample size is %s with the mean weight that is expected, 1, in place of %s, want at least %d", words.Amount(expected), words.Amount(d.Mean), minESS))
	}
	if d.Share > maxShare {
		d.Against = append(d.Against, fmt.Sprintf("one row has %.0f %% of all weight, want at most %.0f %%", 100*d.Share, 100*maxShare))
	}
	// A propensity p estimated from n rows has a relative mean squared error of about params/(n·p), and the weight, which
	// is proportional to 1/p, has a relative bias of the same size.
	bias := float64(params) * inverses / float64(n*n)
	if bias > maxBias {
		d.Against = append(d.Against, fmt.Sprintf("the errors of the estimated propensities make weights %.0f %% too large, want at most %.0f %%", 100*bias, 100*maxBias))
	}
	// Rounded propensities make all weights of a uniform log wrong by the same factor, which hardly matters if the
	// estimate moves by less than a tenth of its standard error.
	ips := earned.Estimate()
	rounding := min(maxOff, max(1e-6, ips.StdErr/10/max(math.Abs(ips.Mean), math.SmallestNonzeroFloat64)))
	if off := math.Abs(d.Mean - 1); off > meanErrors*d.MeanErr+2*bias && off > rounding {
		d.Wrong = true
		d.Against = append(d.Against, fmt.Sprintf("the mean weight is %.5g ± %s, want 1: propensities are wrong or rounded, or arms that the policy pulls are not in the log", d.Mean, words.Amount(d.MeanErr)))
	}
	common := commonReward(weight, reward)
	if d.Rare = rare(weight, reward, common); d.Rare < minRare {
		d.Against = append(d.Against, fmt.Sprintf("an effective %s of the %s with a weight have a reward other than %s, want at least %d: too few for a t-interval",
			words.Amount(d.Rare), words.Count(d.Used, "row"), words.Amount(common), minRare))
	}
	if !d.Verdict() {
		d.Cure = cure(weight, propensity, arms)
	}
	return d
}

// weightless returns diagnostics without weights.
func weightless(rows, used int) Diagnostics {
	none := math.NaN()
	return Diagnostics{Rows: rows, Used: used, ESS: none, Largest: none, Share: none, Mean: none, MeanErr: none, Unlogged: none, Rare: none}
}

// commonReward returns the reward that has more than half of all weight, or any if none has (Boyer and Moore 1991).
func commonReward(weight, reward []float64) float64 {
	common, lead := 0.0, 0.0
	for i, w := range weight {
		switch {
		case w == 0:
		case lead > 0 && reward[i] == common:
			lead += w
		case lead > w:
			lead -= w
		default:
			common, lead = reward[i], w-lead
		}
	}
	return common
}

// rare returns the effective number (Σw)²/Σw² of the rows whose reward is not the common one.
func rare(weight, reward []float64, common float64) float64 {
	var sum, squares float64
	for i, w := range weight {
		if reward[i] != common {
			sum += w
			squares += float64(w * w)
		}
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / squares
}

// cure advises to log the least percentage of uniform pulls with which a log of this length would be well within the
// limits. If even 100 % is not enough, it advises a number of rows.
func cure(weight, propensity []float64, arms int) string {
	rows := float64(len(weight))
	for percent := 1; percent <= 100; percent++ {
		if expectedESS(weight, propensity, arms, float64(percent)/100)*rows >= 2*minESS && float64(arms)*100/float64(percent) <= maxShare*rows/2 {
			return fmt.Sprintf("log %d %% uniform pulls", percent)
		}
	}
	return fmt.Sprintf("log uniform pulls, about %s", words.Count(2*minESS*arms, "row"))
}

// expectedESS returns the effective sample size per row, 1/E[w'²], of a log with the share epsilon (ε) of uniform
// pulls. Its propensities are p' = (1 − ε)p + ε/K for K arms, its weights w' = π/p', with π the policy's probability;
// E[w'²] is estimated by the mean of w·π/p' in the present log, divided by that of w = π/p, which can be far from 1.
func expectedESS(weight, propensity []float64, arms int, epsilon float64) float64 {
	var sum, second float64
	for i, w := range weight {
		p := propensity[i]
		mixed := float64((1-epsilon)*p) + epsilon/float64(arms)
		sum += w
		second += float64(w*w) * p / mixed
	}
	if second == 0 {
		return epsilon / float64(arms) // no row has a weight: assume that the policy always pulls one arm, which the log never has
	}
	return sum / second
}
