// Package naming checks the names of what is registered, of variants and of experiments.
package naming

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Max is the greatest length of a variant's name in bytes: tables must have room for it.
const Max = 100

// Variant returns an error if the name would be ambiguous in a list with commas, in the
// parentheses of a threshold or in quotes, or if it is one of those reserved.
func Variant(name string, reserved []string) error {
	odd := strings.IndexFunc(name, func(r rune) bool {
		return strings.ContainsRune("\",()'\\", r) || !unicode.IsPrint(r)
	})
	switch {
	case name == "":
		return errors.New("the name of a policy is empty")
	case len(name) > Max:
		return fmt.Errorf("the name %.20q… has %d bytes, want at most %d: give the policy a short one with name", name, len(name), Max)
	case odd >= 0:
		return fmt.Errorf("the name %q holds %q: want letters, digits, blanks and signs other than quotes, parentheses, commas and backslashes", name, []rune(name[odd:])[0])
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("the name %q is blank", name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("the name %q begins or ends with a blank", name)
	case slices.Contains(reserved, name):
		return fmt.Errorf("the name %q has another meaning in settings: choose another", name)
	}
	return nil
}

// Registered returns an error if a name would be ambiguous in a list with commas, in a key with
// dots or in a path.
func Registered(name string) error {
	odd := func(r rune) bool { return strings.ContainsRune(".,=/\\ ", r) || !unicode.IsPrint(r) }
	if name == "" || strings.ContainsFunc(name, odd) {
		return fmt.Errorf("experiment: register: %q is not a name: want letters, digits, '-' and '_', without blanks", name)
	}
	return nil
}

// Experiment returns an error if the name cannot be the name of a folder.
func Experiment(name string) error {
	switch {
	case strings.TrimSpace(name) != name || name == "":
		return fmt.Errorf("%q is blank, or begins or ends with a blank", name)
	case len(name) > Max:
		return fmt.Errorf("%.20q… has %d bytes, want at most %d", name, len(name), Max)
	case strings.ContainsAny(name, `/\`) || name[0] == '.' || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%q cannot be the name of a folder: want no slashes and no leading dot", name)
	}
	return nil
}
