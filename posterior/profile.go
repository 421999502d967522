package posterior

// A Profile chooses between the method as the paper describes it and the
// method as the authors' published program computes it.
type Profile string

const (
	// Paper is the method of algorithms.md.
	Paper Profile = "paper"
	// Authors reproduces the authors' program, quirks included.
	Authors Profile = "authors"
)
