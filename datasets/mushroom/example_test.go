package mushroom_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets/mushroom"
)

// The file is a part of the program.
func ExampleUCI() {
	table, err := mushroom.UCI()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table)
	fmt.Println(table.Edible(), "edible")
	// Output:
	// UCI Mushroom, 8,124 rows
	// 4208 edible
}

// Errors give line and column.
func ExampleRead() {
	const rows = `e,x,s,y,t,a,f,c,b,k,e,c,s,s,w,w,p,w,o,p,n,n,g
p,x,s,n,t,q,f,c,n,k,e,e,s,s,w,w,p,w,o,p,k,s,u
`
	_, err := mushroom.Read(context.Background(), strings.NewReader(rows), "my.data")
	fmt.Println(err)
	// Output:
	// mushroom: read: my.data:2:11: odor: found "q", want one of a l c y f m n p s
}

// One pull: the outcomes of both arms are drawn before a policy acts.
func ExampleEnvironment() {
	table, err := mushroom.UCI()
	if err != nil {
		log.Fatal(err)
	}
	contexts, err := table.Encode(mushroom.OneHot) // once, for all environments
	if err != nil {
		log.Fatal(err)
	}
	const seed = 1
	env := mushroom.NewEnvironment(contexts, stream.Root(seed).Child("environment"))

	spec := env.Spec()
	pull := bandit.Round{Context: make([]float32, spec.Dim)}
	outcome := bandit.Outcome{Reward: make([]float64, len(spec.Arms)), Mean: make([]float64, len(spec.Arms))}
	if err := env.Next(&pull, &outcome); err != nil {
		log.Fatal(err)
	}
	fmt.Println(spec.Dim, "elements a context")
	for arm, name := range spec.Arms {
		fmt.Printf("%s: reward %v, expected %v\n", name, outcome.Reward[arm], outcome.Mean[arm])
	}
	// Output:
	// 117 elements a context
	// leave: reward 0, expected 0
	// eat: reward -35, expected -15
}

func ExampleUniformRegret() {
	table, err := mushroom.UCI()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.5f %.5f %.5f\n", mushroom.UniformRegret(table), mushroom.AlwaysEatRegret(table), mushroom.NeverEatRegret(table))
	// Output:
	// 4.91014 7.23043 2.58986
}

func ExampleDescribe() {
	row := "e,x,s,y,t,a,f,c,b,k,e,c,s,s,w,w,p,w,o,p,n,n,g\n"
	table, err := mushroom.Read(context.Background(), strings.NewReader(row), "my.data")
	if err != nil {
		log.Fatal(err)
	}
	if err := mushroom.Describe(os.Stdout, table); err != nil {
		log.Fatal(err)
	}
	// Output:
	// data               own file, not UCI's (SHA-256 4680268df18b), 1 row
	// SHA-256            4680268df18b7992e1fa7b671ffc158624b0d31c135ba5934012d82c93381406
	// edible             1 (100.0 %)
	// poisonous          0 (0 %)
	// one-hot            117 wide
	// uniform            regret 2.5 a pull
	// best constant arm  eat, regret 0 a pull
}
