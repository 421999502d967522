package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/cmd/banditsim/cli/internal/scheduler"
	"banditsim/cmd/banditsim/cli/internal/usage"
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
what is not complete again. --yes hands both to sbatch.

k8s: job.yaml is an Indexed Job with a ConfigMap of the experiment, and Containerfile makes
its image. --out is a folder below /results, where the claim is mounted; the files are written
to the folder of the same name here. --yes hands job.yaml to kubectl apply.`,
		Example: `  banditsim submit slurm sweep.yaml --shards 40 --out out/sweep --yes
  banditsim submit k8s sweep.yaml --shards 40 --out sweep --image registry.example/banditsim --claim results`,
		Args: usage.Count(2, 2),
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			if err := usage.NoEmpty(cmd); err != nil {
				return usageError(err)
			}
			if j.Out == "" || !cmd.Flags().Changed("shards") {
				return usageError(errors.New("submit: --out and --shards are missing: want the output folder and the number of shards"))
			}
			if err := checkWorkers(j.Workers); err != nil {
				return usageError(err)
			}
			plan, _, err := a.units(cmd.Context(), args[1:], &f, costs, j.Shards)
			if err != nil {
				return err
			}
			if j.Shards > len(plan.Cells) {
				return usageError(fmt.Errorf("--shards %d: there are %d trials", j.Shards, len(plan.Cells)))
			}
			j.Name, j.Args = plan.Name, args[1:]
			cmd.Flags().Visit(func(flag *pflag.Flag) {
				if slices.Contains([]string{"environment", "seeds", "policies", "data", "set", "costs"}, flag.Name) {
					j.Args = append(j.Args, flagArgs(flag)...)
				}
			})
			dir := filepath.Join(j.Out, "submit")
			var files []scheduler.File
			submit := scheduler.SubmitSlurm
			switch args[0] {
			case "slurm":
				files, err = slurmJob(&j)
				dir = filepath.Join(j.Out, "submit")
			case "k8s":
				files, err = kubernetesJob(&j)
				submit = scheduler.SubmitKubernetes
			default:
				err = usageError(fmt.Errorf("submit %q: want slurm or k8s", args[0]))
			}
			if err != nil {
				return err
			}
			if err := makeFolder(dir); err != nil {
				return err
			}
			for _, file := range files {
				name := filepath.Join(dir, file.Name)
				if err := wholefile.Write(name, file.Text); err != nil {
					return err
				}
				if _, err := fmt.Fprintln(a.stdout, name); err != nil {
					return err
				}
			}
			if !yes {
				return nil
			}
			return submit(dir, a.stdout, a.stderr)
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

func slurmJob(j *scheduler.Job) (files []scheduler.File, err error) {
	if j.Dir, err = os.Getwd(); err == nil {
		j.Out, err = filepath.Abs(j.Out)
	}
	if err == nil {
		j.Program, err = exec.LookPath(os.Args[0])
	}
	if err == nil {
		j.Program, err = filepath.Abs(j.Program)
	}
	return scheduler.Slurm(*j), err
}

func kubernetesJob(j *scheduler.Job) ([]scheduler.File, error) {
	if isExperimentFile(j.Args[0]) {
		b, err := wholefile.ReadFile(j.Args[0])
		if err != nil {
			return nil, err
		}
		j.Experiment, j.Args[0] = string(b), "/experiment/experiment.yaml"
	}
	j.Out = path.Join("/results", filepath.ToSlash(j.Out))
	return scheduler.Kubernetes(*j), nil
}
