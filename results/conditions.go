package results

import (
	"encoding/json"
	"fmt"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/words"
)

// Conditions are what trials must share to be compared: all but the policy and the seed. Output calls them a setting.
type Conditions struct {
	Epoch       int             `json:"epoch"`
	Environment Environment     `json:"environment"`
	Protocol    bandit.Protocol `json:"protocol"`
}

// LeftOut returns a phrase that names data columns that contexts lack, and the options that add them; "" without any.
func (c Conditions) LeftOut() string {
	var o struct {
		LeftOut []string `json:"left_out"`
	}
	if json.Unmarshal(c.Environment.Options, &o) != nil || len(o.LeftOut) == 0 {
		return ""
	}
	return "left out, as they name or count rows (environment.categorical or environment.numeric brings one back): " + words.Plain(words.Shorten(strings.Join(o.LeftOut, ", "), 100))
}

// DataName describes the data of the trials in a few words, with the columns that were left out.
func (c Conditions) DataName() string {
	d, name, left := c.Environment.Data, words.Plain(c.Environment.Name), c.LeftOut()
	if left != "" {
		left = "; " + left
	}
	switch {
	case d.Name == "uci":
		return fmt.Sprintf("UCI %s data", name) + left
	case d.Name == "file":
		return fmt.Sprintf("%s of a file (SHA-256 %.12s…)", name, words.Plain(d.SHA256)) + left
	case d.SHA256 != "" && d.Name != "other":
		return fmt.Sprintf("%s data: %s", name, words.Plain(d.Name)) + left
	case d.SHA256 != "":
		return fmt.Sprintf("%s data of another file (SHA-256 %.12s…)", name, words.Plain(d.SHA256)) + left
	}
	return fmt.Sprintf("environment %s, no data file", name) + left
}

// ProtocolName returns the protocol as "2,000 rounds × 20 pulls, the first 1,024 pulls at random".
func (c Conditions) ProtocolName() string {
	p := c.Protocol
	name := words.Count(p.Rounds, "round") + " × " + words.Count(p.Pulls, "pull")
	if p.Last > 0 {
		name += fmt.Sprintf(" (%d in the last)", p.Last)
	}
	if p.BurnIn > 0 {
		name += fmt.Sprintf(", the first %s at random", words.Count(p.BurnIn, "pull"))
	}
	if p.Initial > 0 {
		name += fmt.Sprintf(", %s of each arm first", words.Count(p.Initial, "pull"))
	}
	if p.Sequential {
		name += ", pull by pull"
	}
	if !p.Delay.IsZero() {
		name += ", " + p.Delay.String()
	}
	if !p.Arms.IsZero() {
		name += ", " + p.Arms.String()
	}
	if repeats := c.Repeats(); repeats != "" {
		name += "; " + repeats
	}
	return name
}

// Repeats returns a warning that trials drew data rows several times; "" if no row came twice, or without data rows.
func (c Conditions) Repeats() string {
	const doubt = "this favors policies that remember rows"
	e, pulls := c.Environment, c.Protocol.AllPulls()
	switch {
	case e.Rows > 0 && pulls > e.Rows && pulls%e.Rows == 0:
		return fmt.Sprintf("each row came %d times: %s", pulls/e.Rows, doubt)
	case e.Rows > 0 && pulls > e.Rows:
		return fmt.Sprintf("each row came %.1f times on average: %s", float64(pulls)/float64(e.Rows), doubt)
	}
	var o struct {
		Replacement bool `json:"replacement"`
	}
	if json.Unmarshal(e.Options, &o) == nil && o.Replacement {
		return "rows were drawn with replacement, so that some came several times: " + doubt
	}
	return ""
}

// UniformRegret returns the expected regret of the uniform policy per trial: the result all is summed over all rounds,
// the result after over those from Protocol.AfterBurnIn on. Both are NaN if it is unknown.
func (c Conditions) UniformRegret() (all, after float64) {
	p := c.Protocol
	pull := float64(c.Environment.UniformRegret)
	before := min(p.AfterBurnIn()-1, p.Rounds)
	return float64(p.AllPulls()) * pull, float64(p.AllPulls()-p.PullsUntil(before)) * pull
}
