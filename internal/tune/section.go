package tune

import (
	"fmt"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/internal/place"
	"banditsim/results/compare"
)

// A Section is the section tune of an experiment file. The seeds of the experiment itself are held out: the search
// does not see them.
type Section struct {
	Seeds  []uint64 // seeds of the search
	Budget int      // budget of each policy, in trials of all rounds
	// Environments are the names of those that the search sees, of an experiment on several; nil: all.
	Environments []string
	Halving      *Halving // nil: random search
	Objective    Objective
	Metric       *compare.Metric
	Draw         uint64 // seed of the draws
	Ranges       []Range
	SeedsAt      place.Place // place of Seeds in the file
	// EnvironmentsAt is the place of Environments in the file.
	EnvironmentsAt place.Place
}

// DefaultSection returns a section without seeds, budget and ranges: random search for the lowest mean expected
// regret, with draw 1.
func DefaultSection() Section { return Section{Objective: Mean, Metric: compare.Expected(), Draw: 1} }

// Halving is successive halving: the search begins with short trials on few seeds. Every rung keeps the best 1/Eta of
// the configurations and gives each Eta times as many seeds or rounds.
type Halving struct {
	Eta    int // at least 2
	Rounds int // rounds of the trials of the first rung, at least
	Seeds  int // seeds of the first rung, at least
	place.Place
}

// An Objective is what the search minimizes over the seeds.
type Objective string

// The objectives.
const (
	Mean  Objective = "mean"
	Worst Objective = "worst" // the regret of the worst seed
)

// ParseObjective returns the objective with the given name.
func ParseObjective(name string) (Objective, error) {
	return nearest.Parse("unknown objective", name, []Objective{Mean, Worst})
}

// A Range has the values of an option among which the search chooses.
type Range struct {
	Policy         string   // its name in the experiment
	Option         string   // path, as in the settings of a variant
	Kind           string   // distribution of the draws: one of RangeKinds
	Low, High      float64  // ends of a range of numbers
	Values         []string // values of a choice, as in settings
	KeyAt, ValueAt place.Place
}

// The kinds of ranges. In Log and Linear ranges the logarithm, or the number itself, is distributed uniformly.
const (
	Log    = "log"
	Linear = "linear"
	Int    = "int"    // whole numbers
	Choice = "choice" // a list of any values
)

// RangeKinds returns all kinds of ranges.
func RangeKinds() []string { return []string{Log, Linear, Int, Choice} }

// String returns the range as in a file: "log 1e-05 to 0.1".
func (r Range) String() string {
	if r.Kind == Choice {
		return "choice of " + strings.Join(r.Values, ", ")
	}
	return fmt.Sprintf("%s %g to %g", r.Kind, r.Low, r.High)
}
