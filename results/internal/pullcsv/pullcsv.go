// Package pullcsv is the text of the recorded pulls of a trial: CSV with a line for each pull.
package pullcsv

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"banditsim/bandit"
)

// Header is the first line.
const Header = "round,pull,row,arm,reward,expected_reward,best_reward,propensity\n"

// Head is the beginning of the gzip file: deflate, a comment, no time, the best compression, no system.
const Head = "\x1f\x8b\x08\x10\x00\x00\x00\x00\x02\xff"

// Comment returns the comment in the head of the gzip file of the pulls of a trial, which have the SHA-256 sum.
func Comment(id, sum string) string {
	return fmt.Sprintf("banditsim pulls 1 trial %s sha256 %s", id, sum)
}

// Append appends the line of a pull to b.
func Append(b []byte, p *bandit.PullRecord) []byte {
	for _, n := range []int{p.Round, p.T, p.Row, p.Arm} {
		b = append(strconv.AppendInt(b, int64(n), 10), ',')
	}
	for _, v := range []float64{p.Reward, p.Expected, p.Best} {
		b = append(strconv.AppendFloat(b, v, 'g', -1, 64), ',')
	}
	if !math.IsNaN(p.Propensity) {
		b = strconv.AppendFloat(b, p.Propensity, 'g', -1, 64)
	}
	return append(b, '\n')
}

// Parse reads a line, without its end, of the lines after the first.
func Parse(line []byte, p *bandit.PullRecord) error {
	fields := bytes.Split(line, []byte{','})
	if len(fields) != 8 {
		return fmt.Errorf("%d fields, want 8", len(fields))
	}
	for i, to := range []*int{&p.Round, &p.T, &p.Row, &p.Arm} {
		var err error
		if *to, err = strconv.Atoi(string(fields[i])); err != nil {
			return err
		}
	}
	p.Propensity = math.NaN()
	for i, to := range []*float64{&p.Reward, &p.Expected, &p.Best, &p.Propensity} {
		text := string(fields[4+i])
		if i == 3 && text == "" {
			break
		}
		var err error
		if *to, err = strconv.ParseFloat(text, 64); err != nil {
			return err
		}
	}
	return nil
}
