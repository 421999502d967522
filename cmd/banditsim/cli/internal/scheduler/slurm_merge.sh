#!/bin/bash
# Merges what the tasks of array.sh wrote, and submits those again that are not complete, with another merge after them, at
# most {{.Attempts}} times in all. Made by 'banditsim submit slurm'.
#SBATCH --job-name={{dns .Name}}-merge
#SBATCH --open-mode=append
attempt=${1:-1}
cd {{shell .Dir}} || exit 1
shopt -s nullglob
shards=({{shell (join .Out "shards")}}/*/trials)
if [ ${#shards[@]} -gt 0 ]; then
  {{shell .Program "merge" .Out}} "${shards[@]%/trials}"
fi
again=$({{shell .Program "missing" .Out}} {{line .Args}} --shards {{.Shards}} --array-spec)
code=$?
if [ $code -ne 3 ] || [ -z "$again" ] || [ "$attempt" -ge {{.Attempts}} ]; then
  exit $code
fi
echo "attempt $((attempt + 1)): shards $again"
job=$(sbatch --parsable --array="$again" {{shell (join .Out "submit" "array.sh")}}) &&
  sbatch --parsable --dependency=afterany:"${job%%;*}" {{shell (join .Out "submit" "merge.sh")}} $((attempt + 1))
