package main

import (
	"testing"

	"banditsim/lab/posteriortest"
)

// TestContract checks that the posterior keeps the contract of posteriors and what Kind claims.
func TestContract(t *testing.T) { posteriortest.Posterior(t, Kind) }
