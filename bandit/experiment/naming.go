package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxName is the greatest length of a variant's name in bytes: tables must have room for it.
const maxName = 100

// checkVariantName returns an error if the name would be ambiguous in a list with commas, in the
// parentheses of a threshold or in quotes.
func checkVariantName(name string) error {
	odd := strings.IndexFunc(name, func(r rune) bool {
		return strings.ContainsRune("\",()'\\", r) || !unicode.IsPrint(r)
	})
	switch {
	case name == "":
		return errors.New("the name of a policy is empty")
	case len(name) > maxName:
		return fmt.Errorf("the name %.20q… has %d bytes, want at most %d: give the policy a short one with name", name, len(name), maxName)
	case odd >= 0:
		return fmt.Errorf("the name %q holds %q: want letters, digits, blanks and signs other than quotes, parentheses, commas and backslashes", name, []rune(name[odd:])[0])
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("the name %q is blank", name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("the name %q begins or ends with a blank", name)
	case slices.Contains(reservedNames, name):
		return fmt.Errorf("the name %q has another meaning in settings: choose another", name)
	}
	return nil
}

// checkName returns an error if the name cannot be the name of a folder.
func checkName(name string) error {
	switch {
	case strings.TrimSpace(name) != name || name == "":
		return fmt.Errorf("%q is blank, or begins or ends with a blank", name)
	case len(name) > maxName:
		return fmt.Errorf("%.20q… has %d bytes, want at most %d", name, len(name), maxName)
	case strings.ContainsAny(name, `/\`) || name[0] == '.' || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%q cannot be the name of a folder: want no slashes and no leading dot", name)
	}
	return nil
}
