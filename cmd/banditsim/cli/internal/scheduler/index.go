// Package scheduler finds the index of an array job's task in the environment variables of cluster schedulers, and
// writes such jobs.
package scheduler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/words"
)

// Own is the environment variable with the index of a shard, from 1. It takes precedence over those of schedulers.
const Own = "BANDITSIM_SHARD"

// indexes are the environment variables in which schedulers give a task its index in the array job.
var indexes = []struct {
	variable string
	first    int    // index of the first task
	none     string // value in a job that is not an array; "" if the variable is not set there
}{
	{Own, 1, ""},
	{"SLURM_ARRAY_TASK_ID", 1, ""},       // Slurm
	{"JOB_COMPLETION_INDEX", 0, ""},      // Kubernetes
	{"PBS_ARRAY_INDEX", 1, ""},           // PBS
	{"PBS_ARRAYID", 1, ""},               // Torque
	{"SGE_TASK_ID", 1, "undefined"},      // SGE
	{"LSB_JOBINDEX", 1, "0"},             // LSF
	{"AWS_BATCH_JOB_ARRAY_INDEX", 0, ""}, // AWS Batch
}

// A Shard is part number I of the trials, counted from 1. Of is the number of parts. From is the environment variable
// that I was read from, or "" if I was given as a number.
type Shard struct {
	I, Of int
	From  string
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.Of) }

// ParseShard parses i/n, with i from 1, or auto/n, which takes i from the environment. It does not check 1 ≤ i ≤ n.
func ParseShard(text string, getenv func(string) string) (s Shard, err error) {
	part, of, _ := strings.Cut(text, "/")
	s.Of, err = strconv.Atoi(of)
	if err == nil && s.Of > 0 && part == "auto" {
		if s.I, s.From, err = index(getenv); err != nil {
			return s, fmt.Errorf("%s: %w", text, err)
		}
		return s, nil
	}
	if err == nil {
		s.I, err = strconv.Atoi(part)
	}
	if err != nil || s.Of < 1 {
		return s, fmt.Errorf("%q: want i/n, such as 1/4, or auto/n", text)
	}
	return s, nil
}

// index returns the shard of this process, from 1, and the environment variable that it was read from.
// $BANDITSIM_SHARD takes precedence; variables of two schedulers at once are an error.
//
// The number of shards is not read: schedulers give that of tasks in the array, lower if only some are submitted again.
func index(getenv func(string) string) (shard int, from string, err error) {
	var variables []string
	for _, s := range indexes {
		variables = append(variables, "$"+s.variable)
		value := getenv(s.variable)
		if value == "" || value == s.none {
			continue
		}
		i, err := strconv.Atoi(value)
		if err != nil || i < s.first {
			return 0, "", fmt.Errorf("$%s is %q: want a whole number, at least %d", s.variable, value, s.first)
		}
		if from != "" {
			return 0, "", fmt.Errorf("both $%s and $%s are set: set $%s, or name the shard", from, s.variable, Own)
		}
		if shard, from = i-s.first+1, s.variable; from == Own {
			return shard, from, nil
		}
	}
	if from == "" {
		return 0, "", fmt.Errorf("no index in the environment: want one of %s, or name the shard", strings.Join(variables, ", "))
	}
	return shard, from, nil
}

// ArraySpec returns indexes in the form of sbatch --array, such as 2,5-7.
func ArraySpec(indexes []int) string {
	list := slices.Compact(slices.Sorted(slices.Values(indexes)))
	return strings.Join(words.Runs(list, "-", 2), ",")
}
