package experiment_test

import (
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// TestSettingsWithoutEffect: a setting of one policy that it does not use is an error that lists those it uses;
// a setting of all need not have an effect on each.
func TestSettingsWithoutEffect(t *testing.T) {
	catalog := builtin.Default()
	const head = "name: x\nextends: quick\n"
	for _, c := range []struct{ name, text, want string }{ // want: part of the error; empty for none
		{"a contour that is off", "policies: [SGLD]\nset: {SGLD.contour.bins: 50}", "contour.bins has no effect on this policy, which uses act, cover_core, cover_first, cover_rim, explore, model, anchor, batch"},
		{"the same by its full path", "policies: [SGLD]\nset: {SGLD.posterior.contour.bins: 50}", "f.yaml:4:"},
		{"the same of a variant", "policies: [{policy: SGLD, name: a, set: {contour.bins: 50}}]", "contour.bins has no effect"},
		{"a preconditioner that is off", "policies: [ConstSGD]\nset: {ConstSGD.preconditioner.rho: 0.1}", "preconditioner.rho has no effect"},
		{"dropout that is off", "policies: [pSGLD]\nset: {pSGLD.dropout.samples: 3}", "dropout.samples has no effect"},
		{"the friction of other dynamics", "policies: [LMCTS]\nset: {LMCTS.friction: 0.5}", "friction has no effect"},
		{"a sweep over nothing", "policies: [{policy: cycSGLD, sweep: {contour.zeta: [1, 2]}}]", "cycSGLD"},
		{"the list has options that are left out at zero", "policies: [SGLD]\nset: {SGLD.contour.bins: 50}", " model,"},
		{"a contour that is turned on", "policies: [SGLD]\nset: {SGLD.contour.kind: paper, SGLD.contour.bins: 50}", ""},
		{"a contour that the policy has by default", "policies: [pICSGLD]\nset: {pICSGLD.contour.kind: off, pICSGLD.contour.bins: 50}", ""},
		{"on in a part of a sweep", "policies: [{policy: SGLD, set: {contour.bins: 50}, sweep: {contour.kind: ['off', paper]}}]", ""},
		{"all", "policies: [SGLD, pICSGLD]\nset: {all.contour.bins: 50}", ""},
		{"all, where none uses it", "policies: [SGLD]\nset: {all.contour.bins: 50}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := catalog.ParseFile("f.yaml", []byte(head+c.text))
			if err == nil {
				_, err = e.ResolveNames(catalog)
			}
			must.Want(t, c.text, err, c.want)
		})
	}
}
