package verify

// A T is what Test needs of *testing.T, so that programs that link this package do not link package testing.
type T[Self any] interface {
	Helper()
	Parallel()
	Run(name string, f func(Self)) bool
	Log(args ...any)
	Error(args ...any)
}

// Test runs the checks of a subject as subtests, side by side, in the quick grade at seed 1.
func Test[Self T[Self]](t Self, s Subject) {
	t.Helper()
	for _, c := range s.Checks() {
		t.Run(c.Name, func(t Self) {
			t.Parallel()
			for _, r := range c.Run(Options{Grade: Quick, Seed: 1}) {
				if r.Verdict == Fail {
					t.Error(r)
				} else {
					t.Log(r)
				}
			}
		})
	}
}
