package main

import (
	"testing"

	"banditsim/posterior"
	"banditsim/posterior/posteriortest"
	"banditsim/posterior/verify/contract"
)

// TestContract is what a posterior of one's own is to be held to.
func TestContract(t *testing.T) {
	posteriortest.Run(t, contract.Posterior{
		New: func(s posterior.Setup) (posterior.Posterior, error) {
			return New(Options{Prior: 10, Noise: 10}, s)
		},
		Rounds: 1, Spread: true,
	})
}
