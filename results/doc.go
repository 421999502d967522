// Package results keeps what trials came to: it writes and reads trial files,
// summarises them over seeds, compares policies seed by seed, and makes tables
// and plots of that.
//
// An output folder has one file a trial in its folder trials, named
// <policy>-seed<seed>-<first 12 digits of the id>.jsonl, and beside it a
// [Sidecar], <the same>.meta.json, with what may differ between machines. A trial's
// file depends on its [Identity] alone: the same trial gives the same bytes
// anywhere. Files that begin with a dot belong to trials that are under way or were
// stopped: their lines so far, and a [Checkpoint] to go on from. Files that end in
// .damaged-<n> were found damaged and set aside.
//
// # The trial file
//
// Each line is a JSON object and ends in a newline; names stand in the order given
// here. Numbers have as many digits as read back the same float64; those that JSON
// lacks are the strings "NaN", "+Inf" and "-Inf". No line is longer than 16 MiB.
//
// The first line is the header, here broken for the page:
//
//	{"schema":1,"id":"a1c2…","epoch":1,
//	 "policy":{"name":"pICSGLD","options":{…}},
//	 "environment":{"name":"mushroom","options":{…},
//	   "data":{"name":"uci","sha256":"e65d…","replica":false},
//	   "arms":["leave","eat"],"uniform_regret":4.91014},
//	 "protocol":{"rounds":2000,"pulls":20,"burn_in":1024},"seed":1}
//
//	schema       version of this format, 1; readers refuse others
//	id           SHA-256, in hexadecimal, of the JSON of all that follows it in the line
//	epoch        raised when a change of the program changes results
//	policy       the name that it is registered under, and its resolved options
//	environment  its name and resolved options; its data: "uci", "replica" or "other", the
//	             SHA-256 of the file, and whether it is a stand-in; the arms' names; the
//	             expected regret a pull of acting uniformly ("NaN" if it is not known)
//	protocol     rounds, pulls a round, and pulls at the beginning that act at random
//	seed         of all randomness in the trial
//
// A line a round follows, see [Round]:
//
//	{"round":53,"realised":40,"expected":35.2,"arms":[11,9],"wrong":[[17,1],[8123,0]],
//	 "energy":[91.5,88,102.25,95],"bin":[10,9,11,10],
//	 "multiplier":[[1,1,1],[0.9,1,1.1],[1,1,1],[1,1,1]],"ess":3.99,"theta":[0.01,…]}
//
//	round       from 1, without gaps
//	realised    the round's regret by rewards received; it can be negative
//	expected    the round's regret by expected rewards; never negative
//	arms        pulls of every arm
//	wrong       data row (or −1) and arm of each pull that was not of the best arm; absent if none
//	energy      the last energy of every chain; absent, like all below, without a sampler
//	bin         the energy bin of every chain, from 1, 0 for none; only with a contour
//	multiplier  lowest, mean and highest contour multiplier of every chain; only with a contour
//	ess         effective sample size of the chains' weights in prediction
//	theta       the contour's histogram, in every 50th round and the last
//
// The last line but one has the totals, see [Totals]; realised_after and
// expected_after are from the first round on whose pulls all follow burn-in and
// training ([bandit.Protocol.AfterBurnIn]). A trial that could not go on
// has a failure, and may have fewer rounds than its protocol:
//
//	{"end":{"rounds":2000,"realised":7512,"expected":7490.2,"realised_after":2489,
//	 "expected_after":2467.1,"mistakes":961,"failure":{"round":70,"cause":"…"}}}
//
// The last line is the SHA-256 of all bytes before it:
//
//	{"sha256":"5f0c…"}
//
// # Regret and intervals
//
// Regret is in units of reward; lower is better. Both kinds are kept: expected regret is free
// of the luck of the draw, and comparisons go by it unless told otherwise. Intervals are
// t-intervals over seeds, of 95 %: they assume that seeds' means are about normal, which
// few seeds cannot show; [CompareBy] makes others, that lean with skewed differences.
// Comparisons are paired by seed, as policies of one seed meet the same contexts and the same
// luck, and tested twice: by the paired t-test and by the sign-flip test ([Difference]). p-values are
// corrected for the family of tests, which is that of all pairs where the baseline was
// picked for its mean ([Comparison]). Failed trials are in no mean and in every table.
package results
