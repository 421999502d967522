package results

import (
	"fmt"

	"banditsim/bandit"
	"banditsim/internal/words"
)

// A Setting is what trials must share to be compared: everything but the
// policy and the seed.
type Conditions struct {
	Epoch       int             `json:"epoch"`
	Environment Environment     `json:"environment"`
	Protocol    bandit.Protocol `json:"protocol"`
}

// DataName says in a few words which data the trials ran on. A stand-in for the
// real data is always called one.
func (s Conditions) DataName() string {
	d := s.Environment.Data
	switch {
	case d.Replica:
		return fmt.Sprintf("REPLICA of the %s data (a stand-in, not the real file)", s.Environment.Name)
	case d.Name == "uci":
		return fmt.Sprintf("UCI %s data", s.Environment.Name)
	case d.SHA256 != "":
		return fmt.Sprintf("%s data of another file (SHA-256 %.12s…)", s.Environment.Name, d.SHA256)
	}
	return fmt.Sprintf("environment %s, no data file", s.Environment.Name)
}

// ProtocolName says how long a trial was, as "2,000 rounds × 20 pulls, the
// first 1,024 pulls at random".
func (s Conditions) ProtocolName() string {
	p := s.Protocol
	name := words.Count(p.Rounds, "round") + " × " + words.Count(p.Pulls, "pull")
	if p.BurnIn > 0 {
		name += fmt.Sprintf(", the first %s at random", words.Count(p.BurnIn, "pull"))
	}
	return name
}

// uniform returns the expected regret of acting uniformly over all rounds, and
// from Protocol.AfterBurnIn on.
func (s Conditions) UniformRegret() (all, after float64) {
	p := s.Protocol
	round := float64(p.Pulls) * s.Environment.UniformRegret
	return float64(p.Rounds) * round, float64(max(p.Rounds-p.AfterBurnIn()+1, 0)) * round
}
