package results

// Join merges sets, at least one, from several folders. Sets with the same conditions become one set with the Dir of
// the first, so that their trials are paired by seed. A trial in two folders counts once; if its two files' totals
// differ, one file is listed as damaged. Labels are as if one folder had all trials. Each set lists all damaged files.
func Join(sets []*Set) []*Set {
	l := newLoader("", nil)
	l.joined = true
	for _, set := range sets {
		l.dir = set.Dir
		l.damaged = append(l.damaged, set.Damaged...)
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				l.add(rec)
			}
		}
	}
	return l.finish()
}
