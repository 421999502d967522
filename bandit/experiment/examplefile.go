package experiment

// ExampleFile is an experiment file with comments, to start from. It expects the schema
// ([Catalog.Schema]) beside it.
const ExampleFile = `# yaml-language-server: $schema=` + SchemaFile + `
# An experiment of banditsim. Run it with: banditsim run FILE
# (--dry-run prints all options and trials.)
name: my-experiment       # results go to out/my-experiment
# title: A first look     # of the page (banditsim report --html), and notes: paragraphs on it
# extends: mushroom-paper # starts from a preset (banditsim list presets): keys that are missing here are taken from it
environment: mushroom     # see: banditsim list environments
profile: paper            # defaults of the policies: paper, authors (as their program computes) or quick (for a few hundred rounds)
data: auto                # auto, uci, replica, or a path
seeds: 1..6               # at least 6 for a comparison: 1..20, or 1,2,5
protocol:
  rounds: 300             # rounds of pulls, each followed by training (the paper: 2000)
  pulls: 20               # pulls per round
  burn_in: 1024           # first pulls, with random arms
policies:                 # see: banditsim list policies
  - pICSGLD
  - pSGLD
  - policy: pSGLD         # again, with another option and name
    name: hot pSGLD
    set:
      temperature: 1.0
  - policy: EpsGreedy     # a sweep: one variant per value, here EpsGreedy epsilon=0 and EpsGreedy epsilon=0.01;
    sweep:                # several lists make all combinations
      epsilon: [0, 0.01]
  - Uniform
set:                      # options, as with --set; 'all' means every policy that has the option
  all.weight_decay: 1e-2
  pICSGLD.contour.zeta: 20
thresholds:               # on means over the seeds; the run ends with exit code 4 if one is missed
  - regret(pICSGLD) - regret(Uniform) < 0
  - post_burn_in_regret(pSGLD) < 4000
`
