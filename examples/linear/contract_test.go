package main

import (
	"testing"

	"banditsim/posterior/posteriortest"
)

// TestContract checks the contract of posteriors, and the claims.
func TestContract(t *testing.T) { posteriortest.Posterior(t, Kind) }
