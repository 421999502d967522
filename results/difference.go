package results

import "banditsim/internal/flatjson"

// FirstDifference returns the first field in which two identities differ, such as
// "protocol.rounds", and its value in each.
func FirstDifference(a, b Identity) (field, inA, inB string) {
	both := []map[string]string{flatjson.Fields(a), flatjson.Fields(b)}
	keys := flatjson.Differing(both)
	if len(keys) == 0 {
		return "nothing", "", ""
	}
	return keys[0], flatjson.Present(both[0][keys[0]]), flatjson.Present(both[1][keys[0]])
}
