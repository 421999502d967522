package harness

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/goccy/go-yaml"

	"banditsim/bandit"
	"banditsim/posterior"
)

// experimentFile is an experiment as YAML. Every field is needed but data and set.
type experimentFile struct {
	Name        string       `yaml:"name"`
	Environment string       `yaml:"environment"`
	Profile     string       `yaml:"profile"`
	Data        string       `yaml:"data"`
	Seeds       string       `yaml:"seeds"`
	Protocol    protocolFile `yaml:"protocol"`
	Policies    []string     `yaml:"policies"`
	Set         []string     `yaml:"set"`
}

type protocolFile struct {
	Rounds int `yaml:"rounds"`
	Pulls  int `yaml:"pulls"`
	BurnIn int `yaml:"burn_in"`
}

// ExampleFile is an experiment file with comments, to begin from.
const ExampleFile = `# An experiment of banditsim. Run it with: banditsim run FILE
name: my-experiment       # results go to out/my-experiment
environment: mushroom     # see: banditsim list environments
profile: paper            # defaults of the policies: paper, or authors (quirks of their program)
data: auto                # auto, uci, replica, or a path
seeds: 1..6               # at least 6 for a comparison: 1..20, or 1,2,5
protocol:
  rounds: 300             # rounds of pulls, each followed by training (the paper: 2000)
  pulls: 20               # pulls a round
  burn_in: 1024           # first pulls, acted on at random
policies:                 # see: banditsim list policies
  - pICSGLD
  - pSGLD
  - EpsGreedy
  - Uniform
set:                      # changes of options, as with --set; 'all' means every policy that has the option
  - pSGLD.learning_rate=3e-7
  - all.weight_decay=1e-2
`

// ReadFile reads an experiment file. Errors point at line and column.
func ReadFile(path string) (Experiment, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return Experiment{}, fmt.Errorf("experiment file: %w", err)
	}
	e, err := parseFile(b)
	if err != nil {
		return Experiment{}, fmt.Errorf("experiment file %s: %w", path, err)
	}
	return e, nil
}

func parseFile(b []byte) (Experiment, error) {
	var f experimentFile
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return Experiment{}, errors.New(strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	for _, field := range []struct{ name, value string }{
		{"name", f.Name}, {"environment", f.Environment}, {"profile", f.Profile}, {"seeds", f.Seeds},
	} {
		if field.value == "" {
			return Experiment{}, fmt.Errorf("%s is missing", field.name)
		}
	}
	if strings.ContainsAny(f.Name, `/\`) || strings.HasPrefix(f.Name, ".") {
		return Experiment{}, fmt.Errorf("name: %q is to be the name of a folder: no slashes, no leading dot", f.Name)
	}
	profile := posterior.Profile(f.Profile)
	if profile != posterior.Paper && profile != posterior.Authors {
		return Experiment{}, fmt.Errorf("profile: %w", unknown("profile", f.Profile, []string{string(posterior.Paper), string(posterior.Authors)}))
	}
	seeds, err := ParseSeeds(f.Seeds)
	if err != nil {
		return Experiment{}, err
	}
	e := Experiment{
		Name:        f.Name,
		Environment: f.Environment,
		Profile:     profile,
		Protocol:    bandit.Protocol(f.Protocol),
		Policies:    f.Policies,
		Seeds:       seeds,
		Data:        f.Data,
	}
	for _, s := range f.Set {
		setting, err := ParseSetting(s)
		if err != nil {
			return Experiment{}, err
		}
		e.Settings = append(e.Settings, setting)
	}
	return e, nil
}
