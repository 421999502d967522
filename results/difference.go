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

// Changed returns the fields of now that differ from those of was, as key=value with dotted keys,
// sorted. Both are encoded as JSON.
func Changed(was, now any) []string {
	both := []map[string]string{flatjson.Fields(was), flatjson.Fields(now)}
	var list []string
	for _, key := range flatjson.Differing(both) {
		list = append(list, key+"="+flatjson.Present(both[1][key]))
	}
	return list
}
