package estimate

import "slices"

// DirectMethod is the mean over contexts of the reward that the model predicts of the policy. It has the least variance of
// all and the whole bias of the model, of which its interval knows nothing.
func DirectMethod() Estimator {
	return Estimator{
		Name: "dm", Title: "DM", Doc: "direct method: mean of the model's predictions", Model: true, Biased: true,
		Of: func(s *Sample) Estimate { return mean(slices.Clone(s.Value)) },
	}
}
