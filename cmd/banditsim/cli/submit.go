package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
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

type submitFlags struct {
	shardsFlags
	scheduler.Job

	yes bool
}

func (a *app) submitCommand() *cobra.Command {
	f := submitFlags{Job: scheduler.Job{Workers: 1, Attempts: 10}}
	kinds := []string{"slurm", "k8s"}
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
		Args: cobra.MatchAll(usage.Count(2, 2), func(cmd *cobra.Command, args []string) error { return usage.OneOf(kinds)(cmd, args[:1]) }),
	}
	cmd.RunE = interruptible(func(ctx context.Context, args []string) error {
		f.Args = args[1:]
		cmd.Flags().Visit(func(flag *pflag.Flag) {
			if slices.Contains(append(planFlagNames, "costs"), flag.Name) {
				f.Args = append(f.Args, flagArgs(flag)...)
			}
		})
		return a.submit(ctx, &f, args[0], args[1:])
	})
	a.addShardsFlags(cmd, &f.shardsFlags)
	flags := cmd.Flags()
	flags.StringVar(&f.Out, "out", "", "output folder")
	usage.Workers(cmd, &f.Workers, "processors of a shard")
	usage.Whole(flags, &f.Attempts, "attempts", 1, math.MaxInt32, "how often a shard is submitted at most")
	flags.StringVar(&f.Image, "image", "banditsim", "container image, for k8s")
	flags.StringVar(&f.Claim, "claim", "banditsim", "PersistentVolumeClaim of the results, for k8s")
	flags.BoolVar(&f.yes, "yes", false, "submit the job")
	usage.Required(cmd, "out", "shards")
	return cmd
}

// flagArgs returns the arguments that set a flag to its present value, or to all values of a repeatable flag.
func flagArgs(flag *pflag.Flag) (args []string) {
	values := []string{flag.Value.String()}
	if list, ok := flag.Value.(interface{ GetSlice() []string }); ok {
		if values = list.GetSlice(); flag.Name == "policies" {
			values = []string{strings.Join(values, ",")}
		}
	}
	for _, v := range values {
		args = append(args, "--"+flag.Name, v)
	}
	return args
}

// submit writes the files of an experiment's job and, with --yes, submits it.
func (a *app) submit(ctx context.Context, f *submitFlags, kind string, args []string) error {
	plan, _, err := a.units(ctx, args, &f.shardsFlags)
	if err != nil {
		return err
	}
	if f.shards > len(plan.Cells) {
		return exit.Usage(fmt.Errorf("--shards %d: there are %d trials, want at most one shard for each", f.shards, len(plan.Cells)))
	}
	f.Name, f.Shards = plan.Name, f.shards
	out, dir := f.Out, a.Path(filepath.Join(f.Out, "submit"))
	job, send := a.slurmJob, scheduler.SubmitSlurm
	again := a.CommandLine(append(slices.Clone(a.Args[1:]), "--yes")...)
	edit := "add partition, account and time to the #SBATCH lines"
	if kind == "k8s" {
		job, send = a.kubernetesJob, scheduler.SubmitKubernetes
		edit = "edit the files as your cluster wants them"
	}
	files, err := job(&f.Job)
	if err == nil {
		err = wholefile.MakeFolder(dir)
	}
	if err != nil {
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
	next := edit + ", then " + again
	if f.yes {
		if err := send(dir, a.Stdout, a.Stderr); err != nil {
			return err
		}
		next = "squeue --me; when merge.sh has ended: " + a.CommandLine("report", out)
		if kind == "k8s" {
			next = "kubectl get jobs; when the job is complete, where the claim is mounted: " + a.CommandLine("merge", f.Out, path.Join(f.Out, "shards")) + "/*"
		}
	}
	return a.printLines([]string{"Next    " + next})
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

// mounted is where the container mounts the PersistentVolumeClaim for results.
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
