package scheduler

import (
	"fmt"
	"strings"
	"testing"

	"banditsim/internal/must"
)

func TestIndex(t *testing.T) {
	for _, test := range []struct {
		env   string // NAME=value, separated by spaces
		shard int
		from  string
		wrong string
	}{
		{env: "BANDITSIM_SHARD=3 SLURM_ARRAY_TASK_ID=5 JOB_COMPLETION_INDEX=1", shard: 3, from: "BANDITSIM_SHARD"},
		{env: "SLURM_ARRAY_TASK_ID=5", shard: 5, from: "SLURM_ARRAY_TASK_ID"},
		{env: "JOB_COMPLETION_INDEX=0", shard: 1, from: "JOB_COMPLETION_INDEX"},
		{env: "PBS_ARRAY_INDEX=2", shard: 2, from: "PBS_ARRAY_INDEX"},
		{env: "PBS_ARRAYID=2", shard: 2, from: "PBS_ARRAYID"},
		{env: "SGE_TASK_ID=7", shard: 7, from: "SGE_TASK_ID"},
		{env: "SGE_TASK_ID=undefined LSB_JOBINDEX=4", shard: 4, from: "LSB_JOBINDEX"},
		{env: "LSB_JOBINDEX=0 AWS_BATCH_JOB_ARRAY_INDEX=8", shard: 9, from: "AWS_BATCH_JOB_ARRAY_INDEX"},
		{env: "SGE_TASK_ID=undefined LSB_JOBINDEX=0", wrong: "no index"},
		{env: "SLURM_ARRAY_TASK_ID=0", wrong: "at least 1"},
		{env: "SLURM_ARRAY_TASK_ID=two", wrong: "whole number"},
		{env: "SLURM_ARRAY_TASK_ID=1 JOB_COMPLETION_INDEX=1", wrong: "both"},
	} {
		env := map[string]string{}
		for pair := range strings.FieldsSeq(test.env) {
			name, value, _ := strings.Cut(pair, "=")
			env[name] = value
		}
		shard, from, err := index(func(name string) string { return env[name] })
		if shard != test.shard || from != test.from || (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %d from %q, %v; want %d from %q, error %q", test.env, shard, from, err, test.shard, test.from, test.wrong)
		}
	}
}

func TestArraySpec(t *testing.T) {
	for want, list := range map[string][]int{"": nil, "3": {3, 3}, "1-2": {2, 1}, "1,3-5,9": {9, 4, 3, 5, 1, 3}} {
		must.Equal(t, fmt.Sprint(list), ArraySpec(list), want)
	}
}
