package results

import "banditsim/bandit"

// A Score is the result of bandit.Trial.Score at the end of a trial: how well the policy's posterior predicts rewards.
type Score struct {
	bandit.ScoreOptions
	LogLoss      Number `json:"log_loss"`
	JointLogLoss Number `json:"joint_log_loss"` // NaN if the posterior cannot draw the rewards of two contexts together
	Calibration  Number `json:"calibration_error"`
	// Failure is why the losses could not be computed, such as a posterior that diverged; else "".
	Failure string `json:"failure,omitempty"`
}

// NewScore returns a Score for a sidecar. s and err are the results of scoring with options o; err becomes the Failure.
func NewScore(o bandit.ScoreOptions, s bandit.Score, err error) *Score {
	if err != nil {
		return &Score{ScoreOptions: o, Failure: err.Error()}
	}
	return &Score{ScoreOptions: o, LogLoss: Number(s.LogLoss), JointLogLoss: Number(s.JointLogLoss), Calibration: Number(s.Calibration)}
}

// Values returns the numbers of s as a bandit.Score; they are 0 if there is a Failure.
func (s *Score) Values() bandit.Score {
	return bandit.Score{LogLoss: float64(s.LogLoss), JointLogLoss: float64(s.JointLogLoss), Calibration: float64(s.Calibration)}
}
