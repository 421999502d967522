package logged

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"banditsim/internal/wholefile"
)

// Headers by which formats are recognized.
const (
	pullsHeader    = "round,pull,row,arm,reward,expected_reward,best_reward,propensity"
	exportedHeader = "trial,environment,policy,policy_name,seed,round,pull,row,arm,arm_name,reward,"
	obdHeader      = ",timestamp,item_id,position,click,propensity_score,"
)

const usualAvailable = "available" // usual name of the column of available arms

// exportedTitle names the format of the pulls of many trials in one table.
const exportedTitle = "pulls of 'banditsim export --pulls'"

// recognize returns the format of a file by its first line.
func recognize(path string, o ReadOptions) (format, error) {
	first, err := firstLine(path)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.HasPrefix(first, "{") && strings.Contains(first, `"_label`):
		return newDSJSON(o), o.nameless("dsjson")
	case strings.HasPrefix(first, `{"journal":`):
		return newJournal(path, first, o)
	case vwLine.MatchString(first):
		return newVW(o), o.nameless("text of Vowpal Wabbit")
	case first == pullsHeader:
		return newPulls(path, o)
	case strings.HasPrefix(first, "PAR1"):
		return nil, errors.New("this is Parquet: make a CSV of it, such as with duckdb -c \"copy (from 'log.parquet') to 'log.csv.gz'\"")
	}
	title := "CSV"
	header, from, err := tableOf(path, first, cmp.Or(o.Available, usualAvailable))
	if err != nil {
		return nil, err
	}
	switch {
	case strings.HasPrefix(first, "{"):
		title, o = "JSON lines", o.or(usual(header))
	case strings.HasPrefix(first, exportedHeader):
		title, o = exportedTitle, o.or(ReadOptions{Arm: "arm_name", Reward: "reward", Propensity: "propensity"})
	case strings.HasPrefix(first, obdHeader):
		title, o = "Open Bandit Dataset", o.or(ReadOptions{Arm: "item_id", Reward: "click", Propensity: "propensity_score", Position: "position", Time: "timestamp",
			Context: withPrefix(header, "user_feature_", "user-item_affinity_")})
	default:
		o = o.or(usual(header))
	}
	return newTable(title, path, header, from, o)
}

// newCSV returns the header of a CSV with the given first line and the source of its rows. Commas, semicolons or tabs
// separate columns, whichever the header has most of.
func newCSV(first string) (header []string, from source, err error) {
	comma := slices.MaxFunc([]rune(",;\t"), func(a, b rune) int {
		return strings.Count(first, string(a)) - strings.Count(first, string(b))
	})
	open := func(in io.Reader) (*csv.Reader, []string, error) {
		c := csv.NewReader(in)
		c.Comma = comma
		header, err := c.Read()
		c.ReuseRecord = true
		return c, header, err
	}
	if _, header, err = open(strings.NewReader(first)); err != nil {
		err = fmt.Errorf("header: %w", err)
	}
	from = func(in *bufio.Reader) (cells, error) {
		c, _, err := open(in)
		return c, err
	}
	return header, from, err
}

// nameless returns an error if o names a column, since a log in the given format has none.
func (o ReadOptions) nameless(format string) error {
	if o.Propensity == EstimatedPropensity {
		o.Propensity = ""
	}
	if o.Arm+o.Reward+o.Propensity+o.Position+o.Time+o.Available == "" && o.Probabilities == nil && o.Context == nil {
		return nil
	}
	return &InputError{fmt.Sprintf("%s has no columns, all its features are the context: leave out --context and the flags that name other columns", format)}
}

// or returns o with empty columns replaced by those of p.
func (o ReadOptions) or(p ReadOptions) ReadOptions {
	o.Arm, o.Reward, o.Propensity = cmp.Or(o.Arm, p.Arm), cmp.Or(o.Reward, p.Reward), cmp.Or(o.Propensity, p.Propensity)
	o.Position, o.Time, o.Available = cmp.Or(o.Position, p.Position), cmp.Or(o.Time, p.Time), cmp.Or(o.Available, p.Available)
	if o.Context == nil {
		o.Context = p.Context
	}
	return o
}

// withPrefix returns the columns of a header whose name begins with one of the prefixes, ignoring case.
func withPrefix(header []string, prefixes ...string) []string {
	var list []string
	for _, name := range header {
		if slices.ContainsFunc(prefixes, func(p string) bool { return len(name) >= len(p) && strings.EqualFold(name[:len(p)], p) }) {
			list = append(list, name)
		}
	}
	return list
}

// usual returns the columns of a header that have a usual name.
func usual(header []string) ReadOptions {
	first := func(known ...string) string {
		for _, k := range known {
			if i := slices.IndexFunc(header, func(name string) bool { return strings.EqualFold(name, k) }); i >= 0 {
				return header[i]
			}
		}
		return ""
	}
	return ReadOptions{
		Arm: first("arm", "action", "item_id"), Reward: first("reward", "click"),
		Propensity: first("propensity", "propensity_score", "pscore", "probability"),
		Position:   first("position"), Time: first("time", "timestamp"), Available: first(usualAvailable),
		Context: withPrefix(header, "context_", "context.", "x_", "feature_", "user_feature_"),
	}
}

// firstLine returns the first line of a file, at most 1 MiB.
func firstLine(path string) (line string, err error) {
	err = read(path, func(in *bufio.Reader) error {
		line, err = bufio.NewReader(io.LimitReader(in, 1<<20)).ReadString('\n')
		if err == io.EOF && line != "" {
			return nil
		}
		return err
	})
	line = strings.TrimRight(line, "\r\n")
	if err == io.EOF || err == nil && line == "" {
		err = errors.New("the file is empty, or its first line is: want the names of the columns there, or the first row of JSON lines or text")
	}
	return line, err
}

// read calls f with the content of a file, as open returns it.
func read(path string, f func(in *bufio.Reader) error) error {
	in, file, err := open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return f(in)
}

// open opens a file for its content, decompressed if it is gzip, without a byte order mark.
func open(path string) (in *bufio.Reader, file *os.File, err error) {
	if file, _, err = wholefile.Open(path); err != nil { // rejects pipes, as each pass over the log opens it again
		return nil, nil, err
	}
	in = bufio.NewReaderSize(file, 1<<16)
	magic, err := in.Peek(2)
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		var z *gzip.Reader
		if z, err = gzip.NewReader(in); err == nil {
			in = bufio.NewReaderSize(z, 1<<16)
		}
	}
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3)
	}
	if err != nil && err != io.EOF {
		file.Close()
		return nil, nil, err
	}
	return in, file, nil
}
