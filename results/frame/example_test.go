package frame_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/results"
	"banditsim/results/frame"
)

// byFamily returns the mean regret of each policy over the finished trials of the first three seeds, lowest first, joined
// with the CSV table families.
func byFamily(set *results.Set, families string) (dataframe.DataFrame, error) {
	trials, err := frame.Trials(set)
	if err != nil {
		return trials, err
	}
	means := trials.
		Filter(dataframe.F{Colname: "failed", Comparator: series.Eq, Comparando: false}).
		Filter(dataframe.F{Colname: "seed", Comparator: series.LessEq, Comparando: 3}).
		GroupBy("policy").
		Aggregation([]dataframe.AggregationType{dataframe.Aggregation_MEAN}, []string{"expected"}).
		Arrange(dataframe.Sort("expected_MEAN"))
	own := dataframe.ReadCSV(strings.NewReader(families))
	joined := means.InnerJoin(own, "policy").Select([]string{"policy", "family", "expected_MEAN"})
	return joined, joined.Err
}

// Filter the trials of three policies, group them by policy, and join them with columns of another table.
func Example() {
	set, remove := three()
	defer remove()
	means, err := byFamily(set, "policy,family\nLinUCB,optimism\nLinTS,posterior\nUniform,none\n")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(means)
	// Output:
	// [3x3] DataFrame
	//
	//     policy   family    expected_MEAN
	//  0: LinUCB   optimism  83.849540
	//  1: LinTS    posterior 121.148042
	//  2: Uniform  none      229.569280
	//     <string> <string>  <float>
}

// three runs three policies on seeds 1 to 4 and loads their trials. remove deletes their folder.
func three() (set *results.Set, remove func()) {
	dir, err := os.MkdirTemp("", "banditsim")
	if err != nil {
		log.Fatal(err)
	}
	ctx, catalog := context.Background(), builtin.Default()
	plan, err := experiment.Experiment{
		Name:        "three",
		Environment: "linear",
		Policies:    []string{"LinUCB", "LinTS", "Uniform"},
		Protocol:    bandit.Protocol{Rounds: 20, Pulls: 10},
		Seeds:       []uint64{1, 2, 3, 4},
	}.Resolve(ctx, catalog)
	if err != nil {
		log.Fatal(err)
	}
	runner := harness.Runner{Dir: dir, Workers: 2, Now: time.Now}
	if _, err := runner.Run(ctx, plan); err != nil {
		log.Fatal(err)
	}
	if set, err = results.Load(dir); err != nil {
		log.Fatal(err)
	}
	return set, func() { os.RemoveAll(dir) }
}
