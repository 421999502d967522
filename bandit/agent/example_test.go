package agent_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"banditsim/bandit"
	"banditsim/bandit/agent"
)

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
		choice, err := a.Choose(agent.Context{"age": 20 + i, "country": "us"})
		if err != nil {
			log.Fatal(err)
		}
		reward := 0.
		if choice.Arm == "long" {
			reward = 1
		}
		if err := a.Learn(choice.ID, reward); err != nil {
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
