package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"banditsim/internal/words"
)

// A table often has columns that are no features: names and numbers of its rows, by which a policy would learn the rows by heart, and
// dates, each of which would be a category of its own. screen leaves the first out and takes the second apart, but for columns that
// the options name as categorical, numeric, keep or dates, or that the file declares.

// A leftOut is a column that screen took away.
type leftOut struct{ name, why, option string }

func (l leftOut) String() string {
	return fmt.Sprintf("column %s is left out, as it %s: use it with --set environment.%s=%s", quote(l.name), l.why, l.option, l.name)
}

// screen changes the features of a table that was read by p.
func (t *Table) screen(p *plan, o Options) error {
	named := slices.Concat(o.Keep, o.Categorical, o.Numeric)
	for i, d := range p.columns {
		if d.kind != "" || d.values != nil || p.uses[i].byName {
			named = append(named, d.name)
		}
	}
	var kept []column
	for _, c := range t.features {
		forced := slices.Contains(o.Dates, c.name)
		if slices.Contains(named, c.name) && !forced {
			kept = append(kept, c)
			continue
		}
		parts, err := c.dates()
		present := t.Rows - c.absent
		switch {
		case err == nil:
			kept, t.dates = append(kept, parts...), append(t.dates, c.name)
		case forced:
			return fmt.Errorf("dates: column %s: %w", quote(c.name), err)
		case c.numeric() && counts(c.numbers):
			t.leftOut = append(t.leftOut, leftOut{c.name, "only counts the rows", "numeric"})
		case !c.numeric() && len(c.values) > max(few, present/2):
			t.leftOut = append(t.leftOut, leftOut{c.name, fmt.Sprintf("has %s in %s", words.Count(len(c.values), "value"), words.Count(present, "row")), "categorical"})
		default:
			kept = append(kept, c)
		}
	}
	if t.target != nil && o.Target == "" && o.Costs.IsZero() && tooManyClasses(t.Arms, t.Rows) {
		return t.noClasses(kept)
	}
	if len(kept) == 0 {
		return fmt.Errorf("no column tells about the target: %s", t.leftOut[0])
	}
	t.features = kept
	return nil
}

// noClasses returns the error for a target that nobody named and whose values are no classes. It suggests a column.
func (t *Table) noClasses(features []column) error {
	guess := ""
	for _, c := range features {
		usual := slices.Contains([]string{"class", "target", "label", "y", "outcome", "species", "churn"}, strings.ToLower(c.name))
		if few := !c.numeric() && len(c.values) <= few; usual || few && guess == "" {
			guess = c.name
		}
		if usual {
			break
		}
	}
	if guess == "" {
		guess = "NAME"
	}
	return fmt.Errorf("the classes are in the last column unless another is named, and %s has %s in %s: name it with --set environment.target=%s, or columns of rewards with environment.reward_columns",
		quote(t.target.name), words.Count(len(t.Arms), "value"), words.Count(t.Rows, "row"), guess)
}

// counts reports whether numbers only count rows: whole, all different, and rising row by row or with hardly a gap.
func counts(numbers []float64) bool {
	if len(numbers) <= few {
		return false
	}
	rising := true
	for i, v := range numbers {
		if math.IsNaN(v) || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return false
		}
		rising = rising && (i == 0 || v > numbers[i-1])
	}
	sorted := slices.Clone(numbers)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) < len(numbers) {
		return false
	}
	return rising || sorted[len(sorted)-1]-sorted[0] < 2*float64(len(sorted))
}

// dates returns the days since 1970, the weekday and the month of a column whose values are all dates in one order, as features.
func (c *column) dates() ([]column, error) {
	if c.numeric() || len(c.values) == 0 {
		return nil, fmt.Errorf("its values are no dates")
	}
	parsed := make([]date, len(c.values))
	dayFirst, monthFirst := true, true
	for i, v := range c.values {
		d, ok := parseDate(v)
		if !ok {
			return nil, fmt.Errorf("%s is no date such as 2024-05-31, 31.05.2024 or 05/31/2024", quote(v))
		}
		parsed[i] = d
		if !d.iso {
			dayFirst, monthFirst = dayFirst && d.second <= 12, monthFirst && d.first <= 12
		}
	}
	if dayFirst && monthFirst && slices.ContainsFunc(parsed, func(d date) bool { return !d.iso }) {
		return nil, fmt.Errorf("%s may have the day or the month first, and no value settles it: write dates as 2024-05-31", quote(c.values[0]))
	}
	days := column{name: c.name, absent: c.absent, numbers: make([]float64, 0, len(c.codes))}
	weekday := column{name: c.name + " weekday", absent: c.absent, codes: make([]int32, 0, len(c.codes))}
	month := column{name: c.name + " month", absent: c.absent, codes: make([]int32, 0, len(c.codes))}
	for d := range 7 {
		weekday.values = append(weekday.values, time.Weekday(d).String())
	}
	for m := range 12 {
		month.values = append(month.values, strconv.Itoa(m+1))
	}
	times := make([]time.Time, len(parsed))
	for i, d := range parsed {
		if !d.iso && !dayFirst {
			d.first, d.second = d.second, d.first
		}
		times[i] = time.Date(d.year, time.Month(d.second), d.first, 0, 0, 0, 0, time.UTC)
		if times[i].Day() != d.first || int(times[i].Month()) != d.second {
			return nil, fmt.Errorf("%s is no day of a calendar", quote(c.values[i]))
		}
	}
	for _, code := range c.codes {
		if code < 0 {
			days.numbers, weekday.codes, month.codes = append(days.numbers, math.NaN()), append(weekday.codes, -1), append(month.codes, -1)
			continue
		}
		at := times[code]
		days.numbers = append(days.numbers, float64(at.Unix()/86400))
		weekday.codes = append(weekday.codes, int32(at.Weekday()))
		month.codes = append(month.codes, int32(at.Month())-1)
	}
	return []column{days, weekday, month}, nil
}

// A date has the parts of a text in their order, those of an ISO date as day and month.
type date struct {
	first, second, year int
	iso                 bool
}

// parseDate reads a date with a year of four digits and one of the separators - / . and, if need be, a time, which it does not use.
func parseDate(text string) (d date, ok bool) {
	day, clock, _ := strings.Cut(strings.Replace(text, "T", " ", 1), " ")
	if clock != "" && !strings.Contains(clock, ":") {
		return d, false
	}
	for _, separator := range []string{"-", "/", "."} {
		parts := strings.Split(day, separator)
		if len(parts) != 3 {
			continue
		}
		var n [3]int
		for i, p := range parts {
			v, err := strconv.Atoi(p)
			if err != nil || v < 1 || len(p) > 4 || len(p) == 3 {
				return d, false
			}
			n[i] = v
		}
		switch {
		case len(parts[0]) == 4 && len(parts[1]) <= 2 && len(parts[2]) <= 2:
			return date{n[2], n[1], n[0], true}, n[1] <= 12 && n[2] <= 31
		case len(parts[2]) == 4 && len(parts[0]) <= 2 && len(parts[1]) <= 2:
			return date{n[0], n[1], n[2], false}, n[0] <= 31 && n[1] <= 31
		}
	}
	return d, false
}
