#!/bin/bash
# An array job of banditsim: task i runs shard i of {{.Shards}}. Made by 'banditsim submit slurm'.
# Before the time of a task ends, SIGUSR1 makes it write checkpoints and exit with code 75; merge.sh submits it again.
#SBATCH --job-name={{dns .Name}}
#SBATCH --array=1-{{.Shards}}
#SBATCH --cpus-per-task={{.Workers}}
#SBATCH --signal=B:USR1@120
#SBATCH --open-mode=append
cd {{shell .Dir}} || exit 1
exec {{shell .Program "run"}} {{line .Args}} --shard "$SLURM_ARRAY_TASK_ID"/{{.Shards}} --out {{shell (join .Out "shards")}}/"$SLURM_ARRAY_TASK_ID" --workers {{.Workers}} --quiet
