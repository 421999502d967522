// Package results writes and reads the files of trials. Its subpackages summarize, compare and plot trials.
//
// The folder trials of an output folder has one file per trial, <policy>-seed<seed>-<first 12 digits of the id>.jsonl,
// and beside it a [Sidecar], <the same>.meta.json, with everything that may differ between machines. A trial file
// depends only on the trial's [Identity]: the same trial gives the same bytes everywhere. Unfinished trials have files
// with a leading dot: their lines so far, and a [Checkpoint]. [SetAside] renames damaged files to *.damaged-<n>.
//
// # The trial file
//
// Each line is a JSON object of at most 16 MiB and ends with a newline. The fields are in the order given here. Numbers
// have the shortest digits that read back as the same float64; NaN and ±∞ are the strings "NaN", "+Inf" and "-Inf".
//
// The first line is the header, broken into lines here:
//
//	{"schema":1,"id":"a1c2…","epoch":1,
//	 "policy":{"name":"pICSGLD","options":{…}},
//	 "environment":{"name":"mushroom","options":{…},
//	   "data":{"name":"uci","sha256":"e65d…","replica":false},
//	   "arms":["leave","eat"],"uniform_regret":4.91014},
//	 "protocol":{"rounds":2000,"pulls":20,"burn_in":1024},"seed":1}
//
//	schema       version of this format, 1; readers reject others
//	id           SHA-256, in hexadecimal, of the JSON of all fields after it
//	epoch        raised when a change of the program changes results
//	policy       its registered name and resolved options
//	environment  its registered name, resolved options, data (see [Data]) and names of arms;
//	             the expected regret per pull of the uniform policy, "NaN" if unknown
//	protocol     rounds, pulls per round, and the number of random pulls at the beginning
//	seed         seed of all randomness in the trial
//
// A line for each round follows, see [Round]:
//
//	{"round":53,"realised":40,"expected":35.2,"arms":[11,9],"wrong":[[17,1],[8123,0]],
//	 "energy":[91.5,88,102.25,95],"bin":[10,9,11,10],
//	 "multiplier":[[1,1,1],[0.9,1,1.1],[1,1,1],[1,1,1]],"ess":3.99,"theta":[0.01,…]}
//
//	round       number of the round, from 1, without gaps
//	realised    the round's regret by rewards received; it can be negative
//	expected    the round's regret by expected rewards; never negative
//	arms        number of pulls of every arm
//	wrong       for each pull of an arm that was not the best, the data row (−1 without data) and the arm; absent if none
//	energy      the last energy of every chain; this field and the next four are absent without a sampler
//	bin         number of every chain's energy bin, from 1; 0 if its energy is in no bin; only with a contour
//	multiplier  lowest, mean and highest contour multiplier of every chain; only with a contour
//	ess         effective sample size of the chains' weights in prediction
//	theta       the contour's histogram θ, in every 50th round and the protocol's last
//	series      further diagnostics of the sampler or the policy, see [Series]; absent if none
//
// The last line but one has the totals, see [Totals]. realised_after and expected_after are sums over the rounds from
// [bandit.Protocol.AfterBurnIn] on. "failure" is there only if the trial failed; rounds may then be missing:
//
//	{"end":{"rounds":2000,"realised":7512,"expected":7490.2,"realised_after":2489,
//	 "expected_after":2467.1,"mistakes":961,"failure":{"round":70,"cause":"…"}}}
//
// The last line has the SHA-256 of all bytes before it:
//
//	{"sha256":"5f0c…"}
//
// Readers except [ReadRecord] and [Heads] verify the checksum and the order of the rounds. In every round the pulls of
// the arms must add up to the protocol's number. The totals must equal the sums of the rounds, added in order, to the
// bit. A sidecar has a checksum too: its last field is the SHA-256 of all bytes before the comma in front of it.
package results
