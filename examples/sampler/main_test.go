package main

import (
	"testing"

	"banditsim/lab/posteriortest"
)

func TestSamples(t *testing.T) { posteriortest.Sampler(t, Method) }
