package main

import (
	"testing"

	"banditsim/posterior/posteriortest"
)

func TestSamples(t *testing.T) { posteriortest.Sampler(t, Method) }
