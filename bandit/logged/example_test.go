package logged_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"banditsim/bandit"
	"banditsim/bandit/logged"
	"banditsim/policy"
)

// What always showing the second of two ads would have earned, from a log in which each was shown at random.
func ExampleEvaluate() {
	dir, err := os.MkdirTemp("", "logged")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path, text := filepath.Join(dir, "clicks.csv"), "ad,click,p\n"
	for i := range 1000 {
		ad := i % 2
		click := 0
		if i%(10-6*ad) < 2 { // one in five of the first ad, one in two of the second
			click = 1
		}
		text += fmt.Sprintf("%d,%d,0.5\n", ad, click)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	clicks, err := logged.Open(path, logged.ReadOptions{Arm: "ad", Reward: "click", Propensity: "p"})
	if err != nil {
		log.Fatal(err)
	}
	second := logged.Policy{Label: "second", New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(1), nil }}
	e, err := logged.Evaluate(context.Background(), clicks, []logged.Policy{second}, logged.DefaultOptions())
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range e.Estimates {
		fmt.Printf("%s of %s: %s clicks, %s more than logged\n", l.Title, l.Policy, l.Mean, l.Difference)
	}
	// Output:
	// SNIPS of second: 0.500 ± 0.044 clicks, 0.150 ± 0.030 more than logged
	// IPS of second: 0.500 ± 0.054 clicks, 0.150 ± 0.036 more than logged
}
