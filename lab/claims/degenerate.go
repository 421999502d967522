package claims

import (
	"fmt"
	"slices"

	"banditsim/posterior"
)

// checkDegenerate compares paths of chains on a Gaussian of seven dimensions, whose energies fall
// in all of ten bins, that are the same in theory.
func checkDegenerate(j *judge, s Sampler) {
	all := []int{0, 1, 2, 3, 4}[:s.count(5)]
	u := s.lively()
	u.Contour.Zeta = 2
	with := func(set func(*setup)) setup {
		v := u
		set(&v)
		return v
	}
	zeta := func(z float64) func(*setup) { return func(u *setup) { u.Contour.Zeta = z } }
	kindOff := func(u *setup) { u.Contour.Kind = "off" }

	live, theta := s.contourPath(j, u, all...)
	without, _ := s.contourPath(j, with(kindOff), all...)
	j.Promise("the contour does something", !slices.Equal(live, without), "paths with the contour and without are the same")
	moves := slices.ContainsFunc(theta, func(t float64) bool { return t != theta[0] })
	j.Promise("θ moves", moves, "θ is flat after %d steps", runSteps)

	same := func(name string, a, b setup) {
		left, _ := s.contourPath(j, a, all...)
		right, _ := s.contourPath(j, b, all...)
		j.SameBits(name, left, right)
	}
	same("ζ = 0 is no contour", with(zeta(0)), with(kindOff))
	if s.Claims.ZeroTemperature {
		u := u
		u.Temperature = 0
		off := u
		off.Contour.Kind = "off"
		same("τ = 0 is no contour", u, off)
	}
	one := with(zeta(1))
	power := one
	power.Contour.Field = "theta^zeta"
	same("field θ^ζ at ζ = 1 is field θ", power, one)
	if s.Claims.Chains > 0 {
		return
	}

	// Chains with the same positions and noise change θ as one of them would.
	single, theta1 := s.contourPath(j, u, 0)
	const many = 7
	crowd, theta7 := s.contourPath(j, u, make([]int, many)...)
	for p := range many {
		var path []float32
		for step := range runSteps {
			at := (step*many + p) * runDim
			path = append(path, crowd[at:at+runDim]...)
		}
		j.SameBits(fmt.Sprintf("chain %d of equal chains is one alone", p+1), path, single)
	}
	j.SameBits64("θ of equal chains", theta7, theta1)

	// The order of the chains does not matter.
	order := []int{3, 0, 4, 2, 1}
	permuted, theta5 := s.contourPath(j, u, order...)
	var back []float32
	for step := range runSteps {
		for role := range all {
			at := (step*len(order) + slices.Index(order, role)) * runDim
			back = append(back, permuted[at:at+runDim]...)
		}
	}
	j.SameBits("paths of permuted chains", back, live)
	j.SameBits64("θ of permuted chains", theta5, theta)
}

// contourPath returns the path and the last θ (nil without a contour).
func (s Sampler) contourPath(j *judge, u setup, roles ...int) (path []float32, theta []float64) {
	g := s.run(j, u, own(j), roles...)
	path = g.walk(runSteps)
	if h, ok := g.sampler.(posterior.Histogrammer); ok {
		theta, _ = h.Histogram()
	}
	return path, theta
}
