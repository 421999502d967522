package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/cmd/banditsim/cli/internal/scheduler"
	"banditsim/internal/exit"
	"banditsim/internal/usage"
	"banditsim/internal/wholefile"
)

func (a *app) submitCommand() *cobra.Command {
	var f planFlags
	var j scheduler.Job
	var costs string
	var yes bool
	cmd := &cobra.Command{
		Use:   "submit slurm|k8s FILE.yaml|PRESET",
		Short: "Write the job of a cluster that runs an experiment in shards",
		Long: `Write the job of a cluster that runs an experiment in shards, into OUT/submit.

slurm: array.sh runs a shard a task; merge.sh, which depends on it, merges into OUT and submits
what is not complete again. --yes hands both to sbatch, with your edits: files that were
edited are kept, and their difference to what would be written is shown.

k8s: job.yaml is an Indexed Job with a ConfigMap of the experiment, and Containerfile makes
its image. --out is a folder below /results, where the claim is mounted; the files are written
to the folder of the same name here. --yes hands job.yaml to kubectl apply.`,
		Example: `  banditsim submit slurm sweep.yaml --shards 40 --out out/sweep --yes
  banditsim submit k8s sweep.yaml --shards 40 --out sweep --image registry.example/banditsim --claim results`,
		Args: usage.Count(2, 2),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			if err := usage.NoEmpty(cmd); err != nil {
				return exit.Usage(err)
			}
			if j.Out == "" || !cmd.Flags().Changed("shards") {
				return exit.Usage(errors.New("submit: --out and --shards are missing: want the output folder and the number of shards"))
			}
			if err := usage.Workers(j.Workers); err != nil {
				return exit.Usage(err)
			}
			plan, _, err := a.units(cmd.Context(), args[1:], &f, costs, j.Shards)
			if err != nil {
				return err
			}
			if j.Shards > len(plan.Cells) {
				return exit.Usage(fmt.Errorf("--shards %d: there are %d trials", j.Shards, len(plan.Cells)))
			}
			j.Name, j.Args = plan.Name, args[1:]
			cmd.Flags().Visit(func(flag *pflag.Flag) {
				if slices.Contains([]string{"environment", "seeds", "policies", "data", "set", "costs"}, flag.Name) {
					j.Args = append(j.Args, flagArgs(flag)...)
				}
			})
			out, dir := j.Out, a.Path(filepath.Join(j.Out, "submit"))
			var files []scheduler.File
			submit := scheduler.SubmitSlurm
			switch args[0] {
			case "slurm":
				files, err = a.slurmJob(&j)
			case "k8s":
				files, err = a.kubernetesJob(&j)
				submit = scheduler.SubmitKubernetes
			default:
				err = exit.Usage(fmt.Errorf("submit %q: want slurm or k8s", args[0]))
			}
			if err != nil {
				return err
			}
			if err := wholefile.MakeFolder(dir); err != nil {
				return err
			}
			kept, err := scheduler.Write(dir, files)
			for _, e := range kept {
				fmt.Fprintf(a.Stderr, "kept: %s was edited; this command would write '-' in place of '+':\n  %s\n", e.Path, strings.Join(e.Difference, "\n  "))
			}
			if errors.Is(err, scheduler.ErrOtherJob) {
				return exit.Usage(fmt.Errorf("submit: %s was edited, and %w: remove it to have it written anew, or choose another --out", kept[0].Path, err))
			}
			if err != nil {
				return err
			}
			for _, file := range files {
				fmt.Fprintln(a.Stdout, filepath.Join(dir, file.Name))
			}
			if yes {
				err = submit(dir, a.Stdout, a.Stderr)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.Stdout, "Next    "+a.nextOfSubmit(args[0], &j, out, yes))
			return err
		}),
	}
	a.addPlanFlags(cmd, &f)
	shardsFlag(cmd, &j.Shards)
	costsFlag(cmd, &costs)
	cmd.Flags().StringVar(&j.Out, "out", "", "output folder")
	cmd.Flags().IntVar(&j.Workers, "workers", 1, "processors of a shard")
	cmd.Flags().IntVar(&j.Attempts, "attempts", 10, "how often a shard is submitted at most")
	cmd.Flags().StringVar(&j.Image, "image", "banditsim", "container image, for k8s")
	cmd.Flags().StringVar(&j.Claim, "claim", "banditsim", "PersistentVolumeClaim of the results, for k8s")
	cmd.Flags().BoolVar(&yes, "yes", false, "submit the job")
	return cmd
}

// flagArgs returns a flag as arguments.
func flagArgs(flag *pflag.Flag) (args []string) {
	values := []string{flag.Value.String()}
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		if values = list.GetSlice(); flag.Name == "policies" {
			values = []string{strings.Join(values, ",")}
		}
	}
	for _, v := range values {
		args = append(args, "--"+flag.Name, v)
	}
	return args
}

func (a *app) slurmJob(j *scheduler.Job) (files []scheduler.File, err error) {
	if j.Dir, err = filepath.Abs(a.Dir); err == nil {
		j.Out, err = filepath.Abs(a.Path(j.Out))
	}
	if err == nil {
		j.Program, err = exec.LookPath(a.Args[0])
	}
	if err == nil {
		j.Program, err = filepath.Abs(j.Program)
	}
	return scheduler.Slurm(*j), err
}

// nextOfSubmit returns what comes after the files of a job are written, or after it is submitted.
func (a *app) nextOfSubmit(kind string, j *scheduler.Job, out string, submitted bool) string {
	switch {
	case !submitted && kind == "k8s":
		return "edit the files as your cluster wants them, then " + a.CommandLine(append(slices.Clone(a.Args[1:]), "--yes")...)
	case !submitted:
		return "add partition, account and time to the #SBATCH lines, then " + a.CommandLine(append(slices.Clone(a.Args[1:]), "--yes")...)
	case kind == "k8s":
		return "kubectl get jobs; when the job is complete, where the claim is mounted: " + a.CommandLine("merge", j.Out, path.Join(j.Out, "shards")) + "/*"
	}
	return "squeue --me; when merge.sh has ended: " + a.CommandLine("report", out)
}

// mounted is the folder of a container where the claim of the results is mounted.
const mounted = "/results"

func (a *app) kubernetesJob(j *scheduler.Job) ([]scheduler.File, error) {
	if isExperimentFile(j.Args[0]) {
		b, err := wholefile.ReadFile(a.Path(j.Args[0]))
		if err != nil {
			return nil, err
		}
		j.Experiment, j.Args[0] = string(b), "/experiment/experiment.yaml"
	}
	if !filepath.IsLocal(j.Out) {
		return nil, exit.Usage(fmt.Errorf("--out %s: want a folder below %s, where the claim is mounted, such as sweep", j.Out, mounted))
	}
	j.Out = path.Join(mounted, filepath.ToSlash(j.Out))
	return scheduler.Kubernetes(*j), nil
}
