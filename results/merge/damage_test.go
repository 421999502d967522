package merge

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/results"
)

// recorded makes a folder with a trial of policy A for each seed, with its pulls if pulls, and its score if scored.
func recorded(t *testing.T, pulls, scored bool, seeds ...uint64) string {
	t.Helper()
	dir := shard(t, nil, "A", seeds...)
	paths, err := results.TrialFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		rec, err := results.ReadRecord(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := results.Create(filepath.Dir(path), rec.Identity())
		if err == nil && pulls {
			err = w.RecordPulls()
		}
		for r, err := range rounds(5, float64(rec.Seed)) {
			if err != nil {
				t.Fatal(err)
			}
			for k := range 2 {
				p := bandit.PullRecord{Round: r.Round, T: 2*(r.Round-1) + k + 1, Row: -1, Arm: k, Best: r.Expected / 2, Propensity: math.NaN()}
				if pulls {
					err = w.RecordPull(&p)
				}
			}
			if err == nil {
				err = w.Record(r)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err == nil {
			_, err = w.Finish(nil)
		}
		sidecar := results.Sidecar{Label: "the A"}
		if scored {
			sidecar.Score = &results.Score{LogLoss: 1}
		}
		if err == nil {
			err = results.WriteSidecar(path, sidecar)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// beside counts the trials of a folder with pulls, of which it reads all, and with scores.
func beside(t *testing.T, dir string) (trials, pulls, scores int) {
	t.Helper()
	set, err := results.Load(dir)
	if err != nil || len(set.Damaged) > 0 {
		t.Fatal(err, set)
	}
	for _, rec := range set.Policies[0].Records {
		trials++
		n := 0
		for p, err := range rec.Pulls() {
			if err != nil {
				break
			}
			if n++; p.T != n {
				t.Errorf("%s: pull %d is %d", rec.Path, n, p.T)
			}
		}
		if n == 10 && rec.HasPulls() {
			pulls++
		}
		if s, err := rec.Sidecar(); err == nil && s.Score != nil {
			scores++
		}
	}
	return trials, pulls, scores
}

// Pulls and scores come along with their trials, from files and packs into files and packs, and are added to a copy
// that lacks them, whichever comes first.
func TestMergeCarriesPullsAndScores(t *testing.T) {
	for _, pack := range []bool{false, true} {
		for _, packSource := range []bool{false, true} {
			bare, withPulls, withScores := recorded(t, false, false, 1, 2, 3), recorded(t, true, false, 1, 2), recorded(t, false, true, 2, 3)
			sources := []string{bare, withPulls, withScores}
			if packSource {
				for _, s := range sources {
					mustMerge(t, s, true)
				}
			}
			for turn := range sources {
				order := append(slices.Clone(sources[turn:]), sources[:turn]...)
				for _, once := range []bool{turn%2 == 0} {
					what := fmt.Sprintf("pack %v, sources in packs %v, turn %d, at once %v", pack, packSource, turn, once)
					dir := t.TempDir()
					if once {
						mustMerge(t, dir, pack, order...)
					} else {
						for _, s := range order {
							mustMerge(t, dir, pack, s)
						}
					}
					if s := mustMerge(t, dir, pack, order...); s.Added+s.Replaced+len(s.Damaged) > 0 {
						t.Errorf("%s: merged again: %+v", what, s)
					}
					if trials, pulls, scores := beside(t, dir); trials != 3 || pulls != 2 || scores != 2 {
						t.Errorf("%s: %d trials, %d with pulls, %d with scores, want 3, 2 and 2", what, trials, pulls, scores)
					}
					left, err := filepath.Glob(filepath.Join(dir, results.TrialsDir, "*"))
					if pack && (err != nil || len(left) != 1) {
						t.Errorf("%s: left %v", what, left)
					}
				}
			}
		}
	}
}

// Whatever bit of an archive is flipped, wherever it is cut and whatever follows it: the damage is named, and the trials that the
// archive still has are merged with their bytes.
func TestMergeFindsDamageOfArchives(t *testing.T) {
	dir := shard(t, nil, "A,B", 1, 2)
	path := archive(t, dir)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := t.TempDir()
	if s := mustMerge(t, whole, false, path); s.Added != 4 || len(s.Damaged) > 0 {
		t.Fatalf("%+v", s)
	}
	want := contents(t, whole)
	inflate := func(b []byte) string {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return ""
		}
		all, err := io.ReadAll(z)
		if err != nil {
			return ""
		}
		return string(all)
	}
	try := func(what string, b []byte) {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		to := t.TempDir()
		m := Merger{Dir: to}
		s, err := m.Merge([]string{path})
		if err != nil || len(s.Damaged) == 0 {
			t.Errorf("%s: %+v, %v", what, s, err)
		}
		for name := range m.known {
			if got, err := os.ReadFile(filepath.Join(to, results.TrialsDir, name)); err != nil || string(got) != want[name] {
				t.Errorf("%s: %s differs: %v", what, name, err)
			}
		}
		os.RemoveAll(to)
	}
	for at := range sound {
		bit := at % 8
		b := bytes.Clone(sound)
		b[at] ^= 1 << bit
		head := at < len(archiveHead)
		if !head && inflate(b) == inflate(sound) {
			continue // bits that fill up a byte of compressed data mean nothing
		}
		if at%41 == 0 || head || at > len(sound)-9 {
			try(fmt.Sprintf("byte %d of %d, bit %d", at, len(sound), bit), b)
		}
	}
	for _, n := range []int{1, 2, 8, 9, len(sound) / 2, len(sound) - 20} {
		try(fmt.Sprintf("cut by %d bytes", n), sound[:len(sound)-n])
	}
	for _, more := range []string{"\x00", "x", strings.Repeat("\x00", 1024), string(sound)} {
		try(fmt.Sprintf("%d bytes more", len(more)), append(bytes.Clone(sound), more...))
	}
}

// A damaged sidecar or file of pulls is named, and its trial is merged without.
func TestMergeFindsDamageBesideTrials(t *testing.T) {
	for _, pack := range []bool{false, true} {
		source := recorded(t, true, true, 1, 2)
		files, err := filepath.Glob(filepath.Join(source, results.TrialsDir, "*-seed1-*"))
		if err != nil || len(files) != 3 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".jsonl") {
				continue
			}
			sound, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			damages := map[string][]byte{"cut": sound[:len(sound)-1], "longer": append(bytes.Clone(sound), 0), "empty": {}}
			for at := 0; at < len(sound); at += 23 {
				b := bytes.Clone(sound)
				b[at] ^= 1 << (at % 8)
				damages[fmt.Sprint("byte ", at)] = b
			}
			for what, b := range damages {
				if err := os.WriteFile(file, b, 0o666); err != nil {
					t.Fatal(err)
				}
				s := mustMerge(t, t.TempDir(), pack, source)
				if s.Added != 2 || len(s.Damaged) != 1 || s.Damaged[0].Path != file {
					t.Errorf("%s, %s: %+v", filepath.Base(file), what, s)
				}
			}
			// In the folder itself the damaged file is set aside, not removed, and a sound copy takes its place.
			dir := recorded(t, true, true, 1, 2)
			own := filepath.Join(dir, results.TrialsDir, filepath.Base(file))
			if err := os.WriteFile(own, damages["byte 23"], 0o666); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, ".pulls.csv.gz") != pack && !strings.HasSuffix(file, ".meta.json") {
				continue // pulls that stay where they are, are not read
			}
			if s := mustMerge(t, dir, pack, dir); len(s.Damaged) != 1 || s.Damaged[0].Path != own {
				t.Errorf("%s: %+v", own, s)
			}
			if b, err := os.ReadFile(own + ".damaged-1"); err != nil || !bytes.Equal(b, damages["byte 23"]) {
				t.Errorf("%s: it is not set aside: %v", own, err)
			}
			if err := os.WriteFile(file, sound, 0o666); err != nil {
				t.Fatal(err)
			}
			if s := mustMerge(t, dir, pack, source); s.Replaced != 1 || len(s.Damaged) > 0 {
				t.Errorf("%s: from a sound copy: %+v", own, s)
			}
			if trials, pulls, scores := beside(t, dir); trials != 2 || pulls != 2 || scores != 2 {
				t.Errorf("%s: %d trials, %d with pulls, %d with scores", own, trials, pulls, scores)
			}
		}
	}
}

// A pack of which a trial is damaged is not removed, so that the bytes are not lost, until there is a sound copy.
func TestMergeKeepsDamagedPacks(t *testing.T) {
	dir := shard(t, nil, "A", 1, 2)
	mustMerge(t, dir, true)
	packs, err := results.PackFiles(dir)
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	b, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	b[200] ^= 1
	if err := os.WriteFile(packs[0], b, 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if s := mustMerge(t, dir, true, shard(t, nil, "A", 3)); len(s.Damaged) == 0 {
			t.Errorf("%+v", s)
		}
		if got, err := os.ReadFile(packs[0]); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("the pack: %v", err)
		}
	}
	if s := mustMerge(t, dir, true, shard(t, nil, "A", 1, 2, 3)); s.Added != 1 {
		t.Errorf("%+v", s)
	}
	if len(contents(t, dir)) != 3 {
		t.Errorf("%d trials", len(contents(t, dir)))
	}
}

// A sidecar that cannot be read does not end the merge of an experiment on several environments, whichever is first.
func TestMergeOfEnvironmentsWithADamagedSidecar(t *testing.T) {
	folders := []string{}
	for k, name := range []string{"one", "two"} {
		dir := shard(t, func(i *results.Identity) { i.Environment.Name = name }, "A", uint64(2*k+1), uint64(2*k+2))
		paths, err := results.TrialFiles(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if err := results.WriteSidecar(path, results.Sidecar{Label: "the A", Environment: name}); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(results.SidecarPath(paths[0]), []byte("{}x"), 0o666); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, dir)
	}
	s := mustMerge(t, t.TempDir(), false, folders...)
	if s.Added < 3 || len(s.Damaged) < 2 {
		t.Errorf("%+v", s)
	}
}

// Members that no archive of export has are refused, without a panic; the folder of the trials is not one of them.
func TestMergeOfOddArchives(t *testing.T) {
	for name, refused := range map[string]bool{"trials/": false, "trials": true, "": true, "x": true, "trials/a/b": true, "../trials/x.jsonl": true, "trials/.x": true} {
		path := filepath.Join(t.TempDir(), "x.tar.gz")
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(z)
		kind := byte(tar.TypeReg)
		if strings.HasSuffix(name, "/") && !refused {
			kind = tar.TypeDir
		}
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Typeflag: kind}); err != nil {
			t.Fatal(name, err)
		}
		w.Close()
		z.Close()
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		m := Merger{Dir: t.TempDir()}
		if s, err := m.Merge([]string{path}); (err != nil) != refused {
			t.Errorf("%q: %+v, %v", name, s, err)
		}
	}
}

// A folder with the name of a trial is named as damage, and set aside where a trial is to be written.
func TestMergeOfAFolderNamedAsATrial(t *testing.T) {
	source := shard(t, nil, "A", 1, 2)
	paths, err := results.TrialFiles(source)
	if err != nil {
		t.Fatal(err)
	}
	good := shard(t, nil, "A", 1, 2)
	if err := os.Remove(paths[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(paths[0], 0o777); err != nil {
		t.Fatal(err)
	}
	if s := mustMerge(t, t.TempDir(), false, source); s.Added != 1 || len(s.Damaged) != 1 || s.Damaged[0].Path != paths[0] {
		t.Errorf("%+v", s)
	}
	if s := mustMerge(t, source, false, good); s.Added != 1 || len(s.Damaged) > 0 {
		t.Errorf("into it: %+v", s)
	}
	same(t, "into it", contents(t, source), contents(t, good))
}

func TestCheckTarget(t *testing.T) {
	source := shard(t, nil, "A", 1)
	empty, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(source, results.TrialsDir), link); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(empty, "shards", "1")
	if err := os.MkdirAll(filepath.Dir(below), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(shard(t, nil, "A", 2), below); err != nil {
		t.Fatal(err)
	}
	before := slices.Sorted(maps.Keys(contents(t, source)))
	for _, test := range []struct {
		name    string
		dir     string
		sources []string
		wrong   string
	}{
		{"a typing error, without sources", filepath.Join(empty, "typo"), nil, "there is no folder"},
		{"an empty folder, without sources", empty, nil, "there is no folder"},
		{"a folder of trials, without sources", source, nil, ""},
		{"a source that is not there", empty, []string{filepath.Join(empty, "typo")}, "there is no file or folder"},
		{"a source without trials", empty, []string{empty}, "has no folder trials"},
		{"among the trials of a source", filepath.Join(source, "trials"), []string{source}, "inside the source"},
		{"among the trials of another", filepath.Join(source, "trials", "x"), []string{below}, "among the trial files"},
		{"by a link", link, []string{below}, "among the trial files"},
		{"inside a source", filepath.Join(source, "all"), []string{source}, "inside the source"},
		{"itself", source, []string{source}, ""},
		{"a source inside", empty, []string{below}, ""},
		{"a new folder", filepath.Join(empty, "a", "trials"), []string{source, below}, ""},
	} {
		err := CheckTarget(test.dir, test.sources)
		if (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %v, want %q", test.name, err, test.wrong)
		}
	}
	if after := slices.Sorted(maps.Keys(contents(t, source))); !slices.Equal(before, after) {
		t.Errorf("the source has changed: %v", after)
	}
}
