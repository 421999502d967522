#!/bin/bash
# Merges what the tasks of array.sh wrote, and submits those again that are not complete, with another merge after them, at
# most 10 times in all. Made by 'banditsim submit slurm'.
#SBATCH --job-name=banditsim-my-sweep-merge
#SBATCH --open-mode=append
attempt=${1:-1}
cd '/home/some body' || exit 1
shopt -s nullglob
shards=('/home/some body/out/shards'/*/trials)
if [ ${#shards[@]} -gt 0 ]; then
  /usr/bin/banditsim merge '/home/some body/out' "${shards[@]%/trials}"
fi
again=$(/usr/bin/banditsim missing '/home/some body/out' sweep.yaml --set protocol.rounds=9 --shards 3 --array-spec)
code=$?
if [ $code -ne 3 ] || [ -z "$again" ] || [ "$attempt" -ge 10 ]; then
  exit $code
fi
echo "attempt $((attempt + 1)): shards $again"
job=$(sbatch --parsable --array="$again" '/home/some body/out/submit/array.sh') &&
  sbatch --parsable --dependency=afterany:"${job%%;*}" '/home/some body/out/submit/merge.sh' $((attempt + 1))
