package posterior

// A Kind declares a posterior with options of type O. encoding/json must encode and decode O without loss. A field that
// is added to O later must have the tag omitzero and no effect at its zero value, so that old results keep their IDs.
type Kind[O any] struct {
	Name, Doc string
	// Defaults returns the default options. Each call returns new slices.
	Defaults func() O
	// New validates the options and returns the posterior before any reward.
	New func(o O, setup Setup) (Posterior, error)
	// Small returns o with sizes so small that the checks of Posterior's contract take seconds. Nil: the defaults suffice.
	Small  func(o O) O
	Claims Claims
	Draws  bool // policies with this posterior act on draws by default, because acting on the mean would not explore
}

// Claims are what a posterior promises beyond the contract of Posterior.
type Claims struct {
	// Rounds is the number of training rounds, at least 1, after which the predicted means explain three quarters of the
	// variance of a linear function of twelve inputs. The 1,100 rewards that are learned have no noise.
	Rounds int
	// Spread claims that draws differ more from each other in contexts unlike the data than in contexts of the data.
	Spread bool
}

// A Subject is a Kind without its options, as the checks of the posterior's contract use it.
type Subject struct {
	Name, Doc string
	New       func(Setup) (Posterior, error)
	Claims
}

// Subject returns k as the subject of checks: New builds the posterior with SmallDefaults.
func (k Kind[O]) Subject() Subject {
	return Subject{k.Name, k.Doc, func(s Setup) (Posterior, error) { return k.New(k.SmallDefaults(), s) }, k.Claims}
}

// SmallDefaults returns the default options, made small by Small.
func (k Kind[O]) SmallDefaults() O {
	o := k.Defaults()
	if k.Small != nil {
		return k.Small(o)
	}
	return o
}

// An Entry is a Kind without the type of its options.
type Entry struct {
	Name, Doc string
	Defaults  any // a struct
	// New is Kind.New. It panics unless options has the type of Defaults.
	New func(options any, s Setup) (Posterior, error)
}

// Entry returns k without the type of its options.
func (k Kind[O]) Entry() Entry {
	return Entry{k.Name, k.Doc, k.Defaults(), func(o any, s Setup) (Posterior, error) { return k.New(o.(O), s) }}
}
