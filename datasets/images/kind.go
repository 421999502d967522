package images

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"banditsim/bandit"
	"banditsim/datasets"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/internal/workdir"
	"banditsim/results"
)

// Options are the options of the environment.
type Options struct {
	Classes []int `json:"classes,omitempty"` // classes whose pictures are used; empty: all
	datasets.Drawing
}

// Kind declares the environment for catalogs.
func Kind() datasets.Kind[Options] {
	return datasets.Kind[Options]{
		Name: "images", Doc: "pictures whose class is to be named, such as MNIST; --data FILE or FOLDER in the IDX format; without it, the digits of 8×8",
		Defaults: func() Options { return Options{} },
		Open:     open,
		Takes:    func(data string) bool { return strings.Contains(data, imagesMark) },
		Rows:     describeRows,
	}
}

const envVar = "BANDITSIM_IMAGES"

// standIn is the warning of a run without a file of images.
const standIn = "the 1,797 digits of 8×8 stand in for larger pictures: --data FILE names images in the IDX format, such as those of MNIST, or set $" + envVar

func load(ctx context.Context, o Options, data string) (s *Set, warning string, err error) {
	if data == "" {
		if data = workdir.Getenv(ctx, envVar); data == "" {
			data, warning = Digits, standIn
		}
	}
	if s, err = Open(ctx, data); err != nil {
		return nil, "", &datasets.DataError{Err: fmt.Errorf("images: %w", err)}
	}
	if o.Classes != nil {
		if s, err = s.choose(o.Classes); err != nil {
			return nil, "", fmt.Errorf("images: %w", err)
		}
	}
	if len(s.Classes()) < 2 {
		return nil, "", fmt.Errorf("images: a single class, want at least 2")
	}
	return s, warning, nil
}

// choose returns the pictures of the given classes, each of which must occur.
func (s *Set) choose(classes []int) (*Set, error) {
	there := s.Classes()
	var chosen []uint8
	for _, class := range classes {
		if class < 0 || class > 255 || !slices.Contains(there, uint8(class)) {
			return nil, fmt.Errorf("classes: no picture of class %d, want some of %s", class, strings.Join(s.table().Spec.Arms, ", "))
		}
		if slices.Contains(chosen, uint8(class)) {
			return nil, fmt.Errorf("classes: %d occurs twice", class)
		}
		chosen = append(chosen, uint8(class))
	}
	return s.Only(chosen), nil
}

func open(ctx context.Context, o Options, data string) (*datasets.World, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("images: %w", err)
	}
	slices.Sort(o.Classes) // so that the identity of trials ignores their order
	s, warning, err := load(ctx, o, data)
	if err != nil {
		return nil, err
	}
	w := datasets.World{Data: results.Data{Name: s.Name, SHA256: s.SHA256}, Warning: warning, Describe: s.describe}
	table := s.table()
	return o.World(w, func() datasets.Table { return table }, func(d datasets.Drawing) any { return Options{o.Classes, d} })
}

// table returns the environment's Table. The context is a picture, row by row, with pixels from 0 to 1. The arm of the
// picture's class has the reward 1, the others 0.
func (s *Set) table() datasets.Table {
	var arms []string
	var arm [256]int      // number of the arm of each class
	var regrets []float64 // regret of always naming a class: the proportion of pictures of other classes
	count := s.counts()
	for i, class := range s.Classes() {
		arm[class] = i
		arms = append(arms, strconv.Itoa(int(class)))
		regrets = append(regrets, float64(s.Len()-count[class])/float64(s.Len()))
	}
	return datasets.Table{
		Spec: bandit.Spec{
			Dim: s.Height * s.Width, Shape: []int{s.Height, s.Width, 1}, Arms: arms, IgnoresActions: true,
			UniformRegret: float64(len(arms)-1) / float64(len(arms)), // a uniform choice misses K−1 times in K
			ConstantArm:   bandit.BestConstantArm(arms, regrets),
		},
		Rows: s.Len(),
		Put:  s.Put,
		Reward: func(reward []float64, row int) {
			clear(reward)
			reward[arm[s.Labels[row]]] = 1
		},
	}
}

func (s *Set) describe(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	spec := s.table().Spec
	fmt.Fprintf(w, "data\t%s, %s of %d×%d\n", s.Name, words.Count(s.Len(), "picture"), s.Height, s.Width)
	fmt.Fprintf(w, "SHA-256\t%s\n", s.SHA256)
	fmt.Fprintf(w, "context\t%d wide\n", s.Height*s.Width)
	fmt.Fprintf(w, "uniform\tregret %.6g a pull\n", spec.UniformRegret)
	fmt.Fprintf(w, "best constant arm\t%s\n\n", spec.ConstantArm)
	fmt.Fprintln(w, "arm\tpictures\tshare")
	count := s.counts()
	for _, class := range s.Classes() {
		fmt.Fprintf(w, "%d\t%d\t%s\n", class, count[class], words.Percent(100*float64(count[class])/float64(s.Len())))
	}
	return w.Flush()
}

// describeRows describes each picture by its class. It reads the digits if the trials ran on them, else the file that
// $BANDITSIM_IMAGES names, which must be the file of the trials.
func describeRows(ctx context.Context, e results.Environment) (*datasets.Rows, error) {
	var o Options
	if err := json.Unmarshal(e.Options, &o); err != nil {
		return nil, fmt.Errorf("images: options of the trials: %w", err)
	}
	data := ""
	if e.Data.Name == Digits {
		data = Digits
	}
	s, _, err := load(ctx, o, data)
	if err != nil {
		return nil, err
	}
	if s.SHA256 != e.Data.SHA256 {
		return nil, datasets.OtherData(e.Data.SHA256, s.SHA256, envVar)
	}
	arms := s.Classes()
	rows := &datasets.Rows{Columns: []string{"class"}, Wrong: func(row, arm int) bool { return arms[arm] != s.Labels[row] }}
	rows.Values = lists.Each(s.Labels, func(label uint8) []string { return []string{fmt.Sprint(label)} })
	return rows, nil
}
