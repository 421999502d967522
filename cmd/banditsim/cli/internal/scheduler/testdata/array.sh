#!/bin/bash
# An array job of banditsim: task i runs shard i of 3. Made by 'banditsim submit slurm'.
# Before the time of a task ends, SIGUSR1 makes it write checkpoints and exit with code 75; merge.sh submits it again.
#SBATCH --job-name=banditsim-my-sweep
#SBATCH --array=1-3
#SBATCH --cpus-per-task=2
#SBATCH --signal=B:USR1@120
#SBATCH --open-mode=append
cd '/home/some body' || exit 1
exec /usr/bin/banditsim run sweep.yaml --set protocol.rounds=9 --shard "$SLURM_ARRAY_TASK_ID"/3 --out '/home/some body/out/shards'/"$SLURM_ARRAY_TASK_ID" --workers 2 --quiet
