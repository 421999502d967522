package replica_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"banditsim/datasets/mushroom"
	"banditsim/datasets/mushroom/replica"
)

// How alike the replica is to the file. The figures in the comments are those
// measured.
const (
	balanceWithin   = 0.01  // tolerance for shares of rows: exact
	marginalsWithin = 0.02  // tolerance for shares of a class's rows: exact
	predictable     = 0.99  // nearest neighbor: .9995 on the replica, 1 on the file
	odorAccuracy    = 0.985 // the best rule by odor alone is right on .98523 of the file, and of the replica
)

func replicaTable(t *testing.T) *mushroom.Table {
	t.Helper()
	table, err := mushroom.Read(t.Context(), strings.NewReader(string(replica.CSV())), "replica")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// uciTable returns the real file, or skips the test.
func uciTable(t *testing.T) *mushroom.Table {
	t.Helper()
	path := os.Getenv(mushroom.EnvVar)
	if path == "" {
		t.Skipf("$%s is not set", mushroom.EnvVar)
	}
	table, err := mushroom.ReadFile(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if table.Source != mushroom.SourceUCI {
		t.Fatalf("$%s is not the UCI file", mushroom.EnvVar)
	}
	return table
}

// marginals are the shares of a class's rows that have a letter, by
// "attribute letter".
type marginals map[string][2]float64 // edible, poisonous

func marginalsOf(table *mushroom.Table) marginals {
	m := marginals{}
	edible := float64(table.Edible())
	poisonous := float64(len(table.Rows)) - edible
	for _, r := range table.Rows {
		for a, attribute := range mushroom.Schema() {
			key := fmt.Sprintf("%s %c", attribute.Name, r.Values[a])
			share := m[key]
			if r.Edible() {
				share[0] += 1 / edible
			} else {
				share[1] += 1 / poisonous
			}
			m[key] = share
		}
	}
	return m
}

// committedMarginals are those of the UCI file, for tests without it.
func committedMarginals(t *testing.T) marginals {
	t.Helper()
	data, err := os.ReadFile("testdata/uci-marginals.txt")
	if err != nil {
		t.Fatal(err)
	}
	m := marginals{}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var attribute, letter string
		var edible, poisonous float64
		if _, err := fmt.Sscan(line, &attribute, &letter, &edible, &poisonous); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		m[attribute+" "+letter] = [2]float64{edible / 4208, poisonous / 3916}
	}
	if len(m) != 117 {
		t.Fatalf("%d values, want 117", len(m))
	}
	return m
}

func compareMarginals(t *testing.T, got, want marginals, tolerance float64) {
	t.Helper()
	worst := 0.0
	for key := range got {
		if _, ok := want[key]; !ok {
			t.Errorf("%s does not occur in the other", key)
		}
	}
	for key, w := range want {
		for class, g := range got[key] {
			d := math.Abs(g - w[class])
			if !(d <= tolerance) {
				t.Errorf("%s: %.4f of class %d, want %.4f", key, g, class, w[class])
			}
			worst = max(worst, d)
		}
	}
	t.Logf("largest difference of a marginal: %.2g", worst)
}

func TestBytesAreThoseRecorded(t *testing.T) {
	if got := replicaTable(t); got.SHA256 != replica.SHA256 {
		t.Errorf("SHA-256 %s, recorded %s: results on the old replica do not compare with those on the new", got.SHA256, replica.SHA256)
	}
	b := replica.CSV()
	b[0] = 'x'
	if replica.CSV()[0] == 'x' {
		t.Error("the caller's copy is not its own")
	}
}

func TestClassBalance(t *testing.T) {
	table := replicaTable(t)
	if len(table.Rows) != 8124 {
		t.Errorf("%d rows, want 8124", len(table.Rows))
	}
	share := float64(table.Edible()) / float64(len(table.Rows))
	if want := 4208. / 8124; !(math.Abs(share-want) <= balanceWithin) {
		t.Errorf("%.4f are edible, want %.4f", share, want)
	}
}

func TestMarginals(t *testing.T) {
	compareMarginals(t, marginalsOf(replicaTable(t)), committedMarginals(t), marginalsWithin)
}

func TestCommittedMarginalsAreTheFiles(t *testing.T) {
	compareMarginals(t, marginalsOf(uciTable(t)), committedMarginals(t), 1e-9)
}

func TestClassIsPredictable(t *testing.T) {
	table := replicaTable(t)
	if got := nearestNeighbor(table, table); got < predictable {
		t.Errorf("a row's nearest neighbors tell its class for %.4f, want %.2f", got, predictable)
	}
	// Not too easy either: odor alone errs as often as on the file.
	if got := odorRule(table); !(math.Abs(got-odorAccuracy) <= 0.005) {
		t.Errorf("odor tells the class for %.4f, want %.3f", got, odorAccuracy)
	}
}

func TestLikenessToTheFile(t *testing.T) {
	uci, table := uciTable(t), replicaTable(t)
	for _, tt := range []struct {
		name        string
		train, test *mushroom.Table
	}{
		{"file, one left out", uci, uci},
		{"replica, one left out", table, table},
		{"learned on the replica, tried on the file", table, uci},
		{"learned on the file, tried on the replica", uci, table},
	} {
		got := nearestNeighbor(tt.train, tt.test)
		t.Logf("nearest neighbor, %s: %.4f", tt.name, got)
		if got < predictable {
			t.Errorf("nearest neighbor, %s: %.4f, want %.2f", tt.name, got, predictable)
		}
	}
	t.Logf("odor rule: %.4f on the file, %.4f on the replica", odorRule(uci), odorRule(table))

	// A generator, not a copy.
	shared, again := common(table, uci), repeated(table)
	t.Logf("of %d rows %d occur in the file and %d repeat another", len(table.Rows), shared, again)
	if shared == len(table.Rows) {
		t.Error("all rows of the replica are rows of the file: the fit is perfect, take fewer components")
	}
}
