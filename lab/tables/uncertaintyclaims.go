package tables

import (
	"fmt"
	"strings"
)

// A paperClaim is that a method is better than all others named, as it is in the paper's table for ResNet20 and ResNet32; but for
// the accuracy and the log loss of M-SGD also for its other two networks.
type paperClaim struct {
	text    string
	measure string // name of an uncertaintyMeasure
	method  string
	others  []string
}

var paperClaims = []paperClaim{
	{"ICSGHMC has the highest accuracy", "accuracy", "ICSGHMC", []string{"reSGHMC", "M-SGD", "MultiSWAG", "cycSGHMC"}},
	{"ICSGHMC has the lowest log loss", "log_loss", "ICSGHMC", []string{"reSGHMC", "M-SGD", "MultiSWAG", "cycSGHMC"}},
	{"ICSGHMC has a lower Brier score than all but M-SGD", "brier", "ICSGHMC", []string{"reSGHMC", "MultiSWAG", "cycSGHMC"}},
	{"M-SGD is more accurate than the two cyclical methods", "accuracy", "M-SGD", []string{"MultiSWAG", "cycSGHMC"}},
	{"M-SGD has a lower log loss than the two cyclical methods", "log_loss", "M-SGD", []string{"MultiSWAG", "cycSGHMC"}},
	{"M-SGD has a lower Brier score than all but ICSGHMC", "brier", "M-SGD", []string{"reSGHMC", "MultiSWAG", "cycSGHMC"}},
	{"reSGHMC is more accurate than M-SGD", "accuracy", "reSGHMC", []string{"M-SGD"}},
	{"MultiSWAG has a lower Brier score than cycSGHMC", "brier", "MultiSWAG", []string{"cycSGHMC"}},
}

// paperFigures are those of the paper's table for ResNet20: accuracy in %, log loss of 10,000 images in nats, Brier score in ‰.
var paperFigures = map[string]map[string]string{
	"accuracy": {"cycSGHMC": "75.41", "MultiSWAG": "75.46", "M-SGD": "76.01", "reSGHMC": "76.15", "ICSGHMC": "76.34"},
	"log_loss": {"cycSGHMC": "8,437", "MultiSWAG": "8,419", "M-SGD": "8,175", "reSGHMC": "8,196", "ICSGHMC": "8,076"},
	"brier":    {"cycSGHMC": "2.91", "MultiSWAG": "2.78", "M-SGD": "2.58", "reSGHMC": "2.73", "ICSGHMC": "2.54"},
}

// figures returns the paper's figures of a claim, such as 76.01 against 75.46, 75.41.
func (c *paperClaim) figures() string {
	var others []string
	for _, o := range c.others {
		others = append(others, paperFigures[c.measure][o])
	}
	return fmt.Sprintf("%s against %s", paperFigures[c.measure][c.method], strings.Join(others, "; "))
}
