package results

import "banditsim/bandit"

// A Score says how well the draws of a policy's posterior predicted rewards at the end of its trial, as
// bandit.Trial.Score finds. It is the same wherever the trial ran.
type Score struct {
	bandit.ScoreOptions
	LogLoss      Number `json:"log_loss"`
	JointLogLoss Number `json:"joint_log_loss"` // NaN if the draws hold for one context each
	Calibration  Number `json:"calibration_error"`
	// Failure is why there are no numbers, such as a posterior that diverged; "" if there are.
	Failure string `json:"failure,omitempty"`
}

// NewScore returns the record of a score, or of the error of scoring.
func NewScore(o bandit.ScoreOptions, s bandit.Score, err error) *Score {
	if err != nil {
		return &Score{ScoreOptions: o, Failure: err.Error()}
	}
	return &Score{ScoreOptions: o, LogLoss: Number(s.LogLoss), JointLogLoss: Number(s.JointLogLoss), Calibration: Number(s.Calibration)}
}

// Values returns the numbers; there are none with a Failure.
func (s *Score) Values() bandit.Score {
	return bandit.Score{LogLoss: float64(s.LogLoss), JointLogLoss: float64(s.JointLogLoss), Calibration: float64(s.Calibration)}
}
