package bandit

// As returns the first T among v, the result of v's method Unwrap() any, the result of that value's Unwrap, and so
// on. A policy whose Unwrap returns its posterior thus offers the optional interfaces of that posterior, and only
// those.
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
