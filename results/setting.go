package results

import (
	"fmt"
	"strings"

	"banditsim/bandit"
)

// A Setting is what trials must share to be compared: everything but the
// policy and the seed.
type Setting struct {
	Epoch       int             `json:"epoch"`
	Environment Environment     `json:"environment"`
	Protocol    bandit.Protocol `json:"protocol"`
}

// DataName says in a few words which data the trials ran on. A stand-in for the
// real data is always called one.
func (s Setting) DataName() string {
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
func (s Setting) ProtocolName() string {
	p := s.Protocol
	name := count(p.Rounds, "round") + " × " + count(p.Pulls, "pull")
	if p.BurnIn > 0 {
		name += fmt.Sprintf(", the first %s at random", count(p.BurnIn, "pull"))
	}
	return name
}

// uniform returns the expected regret of acting uniformly over all rounds, and
// from Protocol.AfterBurnIn on.
func (s Setting) uniform() (all, after float64) {
	p := s.Protocol
	round := float64(p.Pulls) * s.Environment.UniformRegret
	return float64(p.Rounds) * round, float64(max(p.Rounds-p.AfterBurnIn()+1, 0)) * round
}

// count is "1 pull" or "1,024 pulls".
func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return group(fmt.Sprint(n)) + " " + of + "s"
}

// seedList is "1–3, 7": runs of three or more are shortened. seeds are sorted.
func seedList(seeds []uint64) string {
	var parts []string
	for i := 0; i < len(seeds); {
		j := i
		for j+1 < len(seeds) && seeds[j+1] == seeds[j]+1 {
			j++
		}
		if j-i >= 2 {
			parts = append(parts, fmt.Sprintf("%d–%d", seeds[i], seeds[j]))
			i = j + 1
			continue
		}
		parts = append(parts, fmt.Sprint(seeds[i]))
		i++
	}
	return strings.Join(parts, ", ")
}
