package experiment

// ExampleFile is an experiment file with comments, to begin from. It expects the
// schema ([Catalog.Schema]) beside it.
const ExampleFile = `# yaml-language-server: $schema=` + SchemaFile + `
# An experiment of banditsim. Run it with: banditsim run FILE
# (--dry-run prints all that it comes to.)
name: my-experiment       # results go to out/my-experiment
# extends: mushroom-paper # begins from a preset (banditsim list presets): what is left out here is taken from it
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
  - policy: pSGLD         # once more, with options and a name of its own
    name: hot pSGLD
    set:
      temperature: 1.0
  - policy: EpsGreedy     # a sweep: one variant for each value, here EpsGreedy epsilon=0 and EpsGreedy epsilon=0.01;
    sweep:                # several lists make all combinations
      epsilon: [0, 0.01]
  - Uniform
set:                      # changes of options, as with --set; 'all' means every policy that has the option
  all.weight_decay: 1e-2
  pICSGLD.contour.zeta: 20
thresholds:               # means over the seeds; the run ends with exit code 4 if one is missed
  - regret(pICSGLD) - regret(Uniform) < 0
  - post_burn_in_regret(pSGLD) < 4000
`
