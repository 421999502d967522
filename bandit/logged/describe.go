package logged

import (
	"hash/maphash"
	"maps"
	"math"
	"slices"

	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A Description describes a log, as found in one pass over it.
type Description struct {
	Rows       int              `json:"rows"`
	Reward     stats.Estimate   `json:"reward"` // mean over all rows, with its t-interval
	RewardMin  float64          `json:"reward_min"`
	RewardMax  float64          `json:"reward_max"`
	Zeros      float64          `json:"share_of_zeros"`      // share of zeros among the rewards
	Binary     bool             `json:"binary"`              // all rewards are 0 or 1
	Least      words.Float      `json:"smallest_propensity"` // NaN if some were not recorded
	LeastRow   int              `json:"smallest_propensity_row"`
	Largest    words.Float      `json:"largest_propensity"`
	Uniform    bool             `json:"uniform"`        // all propensities are 1 over the number of arms
	Weight     stats.Estimate   `json:"uniform_weight"` // mean of 1/(K·p), K available arms, propensity p: near 1 if propensities are right
	Arms       []ArmDescription `json:"arms"`
	Positions  []positionCount  `json:"positions"`
	FirstTime  words.Float      `json:"first_time"` // earliest time in seconds; NaN if the log has none
	LastTime   words.Float      `json:"last_time"`
	Disordered int              `json:"rows_out_of_order"` // rows whose time is before that of the previous row
	FirstOut   int              `json:"first_row_out_of_order"`
	Duplicates int              `json:"duplicates"` // −1 if they were not counted
	Blocks     []stretch        `json:"drift"`
	// DriftP is the p-value of the t-test of equal mean rewards in the first and the second half of Blocks.
	DriftP words.Float `json:"drift_p"`
	// Calibration of estimated propensities; nil for recorded ones.
	Calibration []calibrationBin `json:"calibration,omitempty"`
}

// An ArmDescription describes the pulls of one arm. Without pulls, the other numbers are NaN, null in JSON.
type ArmDescription struct {
	Name           string      `json:"arm"`
	Pulls          int         `json:"pulls"`
	Reward         words.Float `json:"mean_reward"`
	MeanPropensity words.Float `json:"mean_propensity"`
	Least          words.Float `json:"smallest_propensity"`
}

type positionCount struct {
	Position int `json:"position"`
	Rows     int `json:"rows"`
}

// A stretch is a range of rows with its means, which show drift.
type stretch struct {
	From       int         `json:"from_row"`
	To         int         `json:"to_row"`
	Reward     float64     `json:"mean_reward"`
	Propensity words.Float `json:"mean_propensity"`

	rewards stats.Moments
}

const (
	maxBlocks     = 20         // largest number of blocks: with more, they are merged in pairs
	maxDuplicates = 10_000_000 // largest number of rows whose duplicates are counted, at 8 bytes per row
)

var hashSeed = maphash.MakeSeed()

type describer struct {
	d          Description
	rewards    stats.Moments
	all        stats.Moments    // 1/p in rows with all arms available, with p the propensity
	some       stats.Moments    // 1/(p·n) in other rows, with n the number of available arms
	tally      []ArmDescription // sums of rewards and propensities, by the number of the arm in the first pass
	positions  map[int]int
	lastTime   float64
	hashes     []uint64
	blocks     []stretch
	blockRows  int // rows of a full block
	duplicates bool
}

func newDescriber(duplicates bool) *describer {
	nan := math.NaN()
	return &describer{duplicates: duplicates, positions: make(map[int]int), lastTime: math.Inf(-1), blockRows: 1,
		d: Description{Binary: true, RewardMin: math.Inf(1), RewardMax: math.Inf(-1), Least: words.Float(math.Inf(1)), FirstTime: words.Float(nan), LastTime: words.Float(nan), Duplicates: -1}}
}

func (d *describer) add(r *Row) {
	d.d.Rows++
	d.rewards.Add(r.Reward)
	n := 0
	for _, can := range r.Available {
		if can {
			n++
		}
	}
	if n > 0 {
		d.some.Add(1 / (r.Propensity * float64(n)))
	} else {
		d.all.Add(1 / r.Propensity)
	}
	o := &d.d
	if r.Reward == 0 {
		o.Zeros++ // a count until describe divides it
	}
	o.Binary = o.Binary && (r.Reward == 0 || r.Reward == 1)
	o.RewardMin, o.RewardMax = min(o.RewardMin, r.Reward), max(o.RewardMax, r.Reward)
	p := words.Float(r.Propensity)
	if p < o.Least {
		o.LeastRow = r.Number
	}
	o.Least, o.Largest = min(o.Least, p), max(o.Largest, p)
	for r.Arm >= len(d.tally) {
		d.tally = append(d.tally, ArmDescription{Least: words.Float(math.Inf(1))})
	}
	t := &d.tally[r.Arm]
	t.Pulls++
	t.Reward += words.Float(r.Reward)
	t.MeanPropensity += p
	t.Least = min(t.Least, p)
	d.positions[r.Position]++
	d.time(r)
	if d.duplicates && d.d.Rows <= maxDuplicates {
		d.hashes = append(d.hashes, r.hash)
	}
	d.block(r)
}

func (d *describer) time(r *Row) {
	if math.IsNaN(r.Time) {
		return
	}
	o, now := &d.d, words.Float(r.Time)
	if o.FirstTime, o.LastTime = min(o.FirstTime, now), max(o.LastTime, now); math.IsNaN(float64(o.FirstTime)) {
		o.FirstTime, o.LastTime = now, now
	}
	if r.Time < d.lastTime {
		if o.Disordered++; o.FirstOut == 0 {
			o.FirstOut = r.Number
		}
	}
	d.lastTime = r.Time
}

// block adds a row to the last block, and merges pairs of blocks when there are too many.
func (d *describer) block(r *Row) {
	if n := len(d.blocks); n == 0 || d.blocks[n-1].To-d.blocks[n-1].From+1 == d.blockRows {
		if n == maxBlocks {
			for i := range n / 2 {
				a, b := d.blocks[2*i], d.blocks[2*i+1]
				a.Propensity += b.Propensity
				a.rewards.Merge(b.rewards)
				a.To = b.To
				d.blocks[i] = a
			}
			d.blocks, d.blockRows = d.blocks[:n/2], 2*d.blockRows
		}
		d.blocks = append(d.blocks, stretch{From: r.Number, To: r.Number - 1})
	}
	b := &d.blocks[len(d.blocks)-1]
	b.To = r.Number
	b.rewards.Add(r.Reward)
	b.Propensity += words.Float(r.Propensity)
}

// describe returns the description. order[i] is the final number of arm i of the first pass; nil: numbers stay.
func (d *describer) describe(arms []string, order []int) Description {
	o := d.d
	k := float64(len(arms))
	weights := d.all.Divided(k)
	weights.Merge(d.some)
	o.Reward, o.Weight = d.rewards.Estimate(), weights.Estimate()
	o.Zeros /= float64(o.Rows)
	o.Uniform = math.Abs(float64(float64(o.Least)*k)-1) < 1e-6 && math.Abs(float64(float64(o.Largest)*k)-1) < 1e-6
	nan := words.Float(math.NaN())
	for _, name := range arms {
		o.Arms = append(o.Arms, ArmDescription{Name: name, Reward: nan, MeanPropensity: nan, Least: nan})
	}
	for i, t := range d.tally {
		if order != nil {
			i = order[i]
		}
		if n := words.Float(t.Pulls); n > 0 {
			o.Arms[i] = ArmDescription{arms[i], t.Pulls, t.Reward / n, t.MeanPropensity / n, t.Least}
		}
	}
	o.Positions = []positionCount{}
	for _, p := range slices.Sorted(maps.Keys(d.positions)) {
		if len(d.positions) > 1 || p != 0 {
			o.Positions = append(o.Positions, positionCount{p, d.positions[p]})
		}
	}
	if d.duplicates && d.d.Rows <= maxDuplicates {
		slices.Sort(d.hashes)
		o.Duplicates = o.Rows - len(slices.Compact(d.hashes))
	}
	var halves [2]stats.Moments
	for i, b := range d.blocks {
		n := words.Float(b.To - b.From + 1)
		b.Reward, b.Propensity = b.rewards.Mean, b.Propensity/n
		o.Blocks = append(o.Blocks, b)
		halves[2*i/len(d.blocks)].Merge(b.rewards)
	}
	_, drift := stats.Unpaired(halves[0].Estimate(), halves[1].Estimate())
	o.DriftP = words.Float(drift)
	return o
}
