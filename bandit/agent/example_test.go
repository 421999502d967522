package agent_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"banditsim/bandit"
	"banditsim/bandit/agent"
)

// show chooses what a visitor sees, and learns whether it was bought.
func show(a *agent.Agent, age int, country string, bought func(arm string) float64) error {
	choice, err := a.Choose(agent.Context{"age": age, "country": country})
	if err != nil {
		return err
	}
	return a.Learn(choice.ID, bought(choice.Arm)) // at any time later; choice.Propensity is for the log
}

// An agent chooses an arm, learns the reward later, and continues from its file as if it had never stopped.
func Example() {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	a, err := agent.New(agent.Config{
		Policy: "LinUCB", Arms: []string{"short", "long"},
		Columns: []bandit.Column{{Name: "age", Mean: 40, SD: 15}, {Name: "country", Values: []string{"us", "de"}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 20 {
		err := show(a, 20+i, "us", func(arm string) float64 {
			if arm == "long" {
				return 1
			}
			return 0
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	path := filepath.Join(dir, "shop.agent")
	if err := a.Save(path); err != nil {
		log.Fatal(err)
	}
	if a, err = agent.Open(path); err != nil {
		log.Fatal(err)
	}
	choice, err := a.Choose(agent.Context{"age": 41, "country": "us"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(choice.ID, choice.Arm)
	// Output: 21 long
}
