package bandit

// As returns the first T among v and what it is built on: what Unwrap() any of a policy returns, such as its posterior, and so
// on. A policy thereby offers what its posterior can do beyond posterior.Posterior without claiming it of posteriors that
// cannot.
func As[T any](v any) (t T, ok bool) {
	for v != nil {
		if t, ok = v.(T); ok {
			return t, true
		}
		u, wraps := v.(interface{ Unwrap() any })
		if !wraps {
			break
		}
		v = u.Unwrap()
	}
	return t, false
}
