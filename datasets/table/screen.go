package table

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"banditsim/internal/words"
)

// leftOut is a column that screen left out, the reason, and the option with which a user can have it used.
type leftOut struct{ name, why, option string }

func (l leftOut) String() string {
	return fmt.Sprintf("column %s is left out, as it %s: use it with %s", quote(l.name), l.why, words.CommandLine([]string{"--set", "environment." + l.option + "=" + l.name}))
}

// screen leaves out features that only name or number the rows, because a policy would memorize the rows by them. It
// splits dates, which would be categories of a few rows each, into days, weekday and month, and reads numbers that have
// a decimal comma or a sign. A column stays as it is if the options name it in keep, categorical or numeric, or if the
// file declares it to be numbers or declares its values. The options dates and decimal_comma take precedence.
func (t *table) screen(o Options) error {
	var kept []column
	for _, c := range t.features {
		list, err := t.screenColumn(c, o)
		if err != nil {
			return err
		}
		kept = append(kept, list...)
	}
	if t.target != nil && o.Target == "" && o.Costs.IsZero() && tooManyClasses(t.arms, t.rows) {
		return t.noClasses(kept)
	}
	if len(kept) == 0 {
		return fmt.Errorf("no column tells about the target: %s", t.leftOut[0])
	}
	t.features = kept
	return nil
}

// screenColumn returns the columns that take the place of c: none, c itself, numbers or the parts of a date.
func (t *table) screenColumn(c column, o Options) ([]column, error) {
	numbers, sure, noNumber := c.decimalCommas()
	parts, noDate := c.dates()
	present := t.rows - c.absent
	byComma, byDate := slices.Contains(o.DecimalComma, c.name), slices.Contains(o.Dates, c.name)
	switch {
	case c.fixed && !byComma && !byDate:
		return []column{c}, nil
	case byComma && noNumber != nil:
		return nil, fmt.Errorf("decimal_comma: column %s: %w", quote(c.name), noNumber)
	case byComma || sure && !byDate:
		list := &t.commas
		if signOf(c.values[0]) != "" {
			list = &t.signs
		}
		*list = append(*list, c.name)
		return []column{numbers}, nil
	case noDate == nil:
		t.dates = append(t.dates, c.name)
		return parts, nil
	case byDate:
		return nil, fmt.Errorf("dates: column %s: %w", quote(c.name), noDate)
	case c.numeric() && counts(c.numbers):
		why := "only counts the rows"
		if slices.Max(c.numbers)-slices.Min(c.numbers) >= 2*float64(t.rows) {
			why = "rises in every row, as if it counted them"
		}
		t.leftOut = append(t.leftOut, leftOut{c.name, why, "numeric"})
		return nil, nil
	case !c.numeric() && len(c.values) > max(fewValues, present/2):
		option := "categorical"
		if noNumber == nil {
			option = "decimal_comma"
		}
		t.leftOut = append(t.leftOut, leftOut{c.name, fmt.Sprintf("has %s in %s", words.Count(len(c.values), "value"), words.Count(present, "row")) + c.odd(), option})
		return nil, nil
	case noNumber == nil:
		t.thousands = append(t.thousands, c.name)
	case c.odd() != "":
		t.mixed = append(t.mixed, fmt.Sprintf("column %s became a category of %d values%s", quote(c.name), len(c.values), c.odd()))
	}
	return []column{c}, nil
}

// odd names the values of a category that are neither numbers nor dates, if they are at most a fifth of its values.
func (c *column) odd() string {
	odd := slices.DeleteFunc(slices.Clone(c.values), func(v string) bool {
		_, number := parseDecimal(v)
		_, date := parseDate(v)
		return number || date
	})
	if len(odd) == 0 || 5*len(odd) > len(c.values) {
		return ""
	}
	return fmt.Sprintf(", all numbers or dates but %s (leave a cell empty if its value is missing)", some(odd))
}

// noClasses returns the error for a target that was taken by default and has too many values. It suggests a column.
func (t *table) noClasses(features []column) error {
	guess := ""
	for _, c := range features {
		distinct := len(c.values) + len(slices.Compact(slices.Sorted(slices.Values(c.numbers)))) // one of the two is empty
		usual := slices.Contains([]string{"class", "target", "label", "y", "outcome", "species", "churn"}, strings.ToLower(c.name)) &&
			distinct <= max(fewValues, t.rows/10)
		if isCategory := !c.numeric() && len(c.values) <= fewValues; usual || isCategory && guess == "" {
			guess = c.name
		}
		if usual {
			break
		}
	}
	return fmt.Errorf("the classes are in the last column unless another is named, and %s has %s in %s: name it with --set environment.target=%s, or columns of rewards with environment.reward_columns",
		quote(t.target.name), words.Count(len(t.arms), "value"), words.Count(t.rows, "row"), cmp.Or(guess, "NAME"))
}

// A number may have one of the signs before or after it. If a column's numbers all match the pattern dollars, commas
// separate thousands.
const signs = "%‰$€£¥₹"

var dollars = regexp.MustCompile(`^[-+]?[$€£¥₹] ?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$`)

// signOf returns the text before or after a number, such as its currency or percent sign.
func signOf(number string) string { return strings.Trim(number, "+-0123456789.,eE \u00a0\u202f") }

// decimalCommas returns the column with its values read as numbers that have a decimal comma or the same currency or
// percent sign. It returns an error if a value is no such number. sure is false if the commas may separate thousands:
// three digits follow each comma, the number before it is not 0, and the numbers do not begin with a currency sign.
func (c *column) decimalCommas() (numbers column, sure bool, err error) {
	numbers = column{name: c.name, absent: c.absent, numbers: make([]float64, len(c.codes))}
	commas := slices.ContainsFunc(c.values, func(v string) bool { return strings.Contains(v, ",") })
	if len(c.values) == 0 || !commas && !strings.ContainsAny(c.values[0], signs) {
		return numbers, false, fmt.Errorf("its values are not numbers with a decimal comma")
	}
	grouped := !slices.ContainsFunc(c.values, func(v string) bool { return !dollars.MatchString(v) })
	sure = grouped || !commas
	values := make([]float64, len(c.values))
	for i, v := range c.values {
		sign := signOf(v)
		bare := strings.TrimSpace(strings.Replace(v, sign, "", 1))
		if grouped {
			bare = strings.ReplaceAll(bare, ",", "")
		}
		x, ok := parseDecimal(bare)
		ok = ok && sign == signOf(c.values[0]) && strings.Contains(signs, sign)
		if values[i] = x; !ok || !(math.Abs(x) <= 1e150) || commas && !grouped && strings.Contains(v, ".") {
			return numbers, false, fmt.Errorf("%s is not a number between −1e150 and 1e150, such as 0,5, with the same sign as the others", quote(v))
		}
		_, fraction, comma := strings.Cut(bare, ",")
		sure = sure || comma && (len(fraction) != 3 || math.Abs(x) < 1)
	}
	for row, code := range c.codes {
		numbers.numbers[row] = math.NaN()
		if code >= 0 {
			numbers.numbers[row] = values[code]
		}
	}
	return numbers, sure, nil
}

// counts reports whether numbers count the rows: there are more than fewValues, whole, different, and rising or with
// few gaps.
func counts(numbers []float64) bool {
	if len(numbers) <= fewValues {
		return false
	}
	for _, v := range numbers {
		if math.IsNaN(v) || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return false
		}
	}
	sorted := slices.Sorted(slices.Values(numbers))
	if len(slices.Compact(sorted)) < len(numbers) {
		return false
	}
	return slices.IsSorted(numbers) || sorted[len(sorted)-1]-sorted[0] < 2*float64(len(sorted))
}

// dates turns a column of dates, all with the same order of day and month, into days since 1970, weekday and month.
func (c *column) dates() ([]column, error) {
	if c.numeric() || len(c.values) == 0 {
		return nil, fmt.Errorf("its values are no dates such as 2024-05-31")
	}
	var byOrder [2][]time.Time // values read with the day first, and with the month first
	for _, v := range c.values {
		times, ok := parseDate(v)
		if !ok {
			return nil, fmt.Errorf("%s is no date such as 2024-05-31, 31.05.2024 or 05/31/2024", quote(v))
		}
		for order, t := range times {
			if !t.IsZero() {
				byOrder[order] = append(byOrder[order], t)
			}
		}
	}
	times, other := byOrder[0], byOrder[1]
	if len(times) < len(c.values) {
		times, other = other, times
	}
	switch {
	case len(times) < len(c.values):
		return nil, fmt.Errorf("%s: no order of day and month makes dates of all values", quote(c.values[0]))
	case !slices.Equal(times, other) && len(other) == len(times):
		return nil, fmt.Errorf("%s may have the day or the month first, and no value settles it: write dates as 2024-05-31", quote(c.values[0]))
	}
	days := column{name: c.name, absent: c.absent, numbers: make([]float64, len(c.codes))}
	weekday := column{name: c.name + " weekday", absent: c.absent, codes: slices.Clone(c.codes)}
	weekday.values = strings.Fields("Sunday Monday Tuesday Wednesday Thursday Friday Saturday")
	month := column{name: c.name + " month", absent: c.absent, codes: slices.Clone(c.codes)}
	month.values = strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12")
	for row, code := range c.codes {
		days.numbers[row] = math.NaN()
		if code >= 0 {
			at := times[code]
			days.numbers[row] = float64(at.Unix() / 86400)
			weekday.codes[row], month.codes[row] = int32(at.Weekday()), int32(at.Month())-1
		}
	}
	return []column{days, weekday, month}, nil
}

// parseDate reads a date with a year of four digits and the separator -, / or . between its parts, and ignores a time
// after it. times are the dates with the day read first, and with the month read first; a zero time is no date. If the
// year comes first, both are the same.
func parseDate(text string) (times [2]time.Time, ok bool) {
	day, clock, _ := strings.Cut(strings.Replace(text, "T", " ", 1), " ")
	if clock != "" && !strings.Contains(clock, ":") {
		return times, false
	}
	for _, separator := range []string{"-", "/", "."} {
		for order, layout := range []string{"2-1-2006", "1-2-2006"} {
			for _, layout := range []string{"2006-1-2", layout} {
				if t, err := time.Parse(strings.ReplaceAll(layout, "-", separator), day); err == nil {
					times[order], ok = t, true
				}
			}
		}
	}
	return times, ok
}
