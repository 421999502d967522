package main

import (
	"testing"

	"banditsim/lab/posteriortest"
)

// TestContract checks the contract of posteriors, and the claims.
func TestContract(t *testing.T) { posteriortest.Posterior(t, Kind) }
