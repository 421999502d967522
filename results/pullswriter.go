package results

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"strconv"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
)

// pullsHeader is the first line of recorded pulls, which are CSV with one line per pull.
const pullsHeader = "round,pull,row,arm,reward,expected_reward,best_reward,propensity\n"

// pullsHead starts the gzip header: magic number, deflate, comment flag, no time, best compression, unknown system.
const pullsHead = "\x1f\x8b\x08\x10\x00\x00\x00\x00\x02\xff"

// pullsComment returns the comment in the gzip header. id is the trial's ID, sum the SHA-256 of the CSV.
func pullsComment(id, sum string) string {
	return fmt.Sprintf("banditsim pulls 1 trial %s sha256 %s", id, sum)
}

func appendPull(b []byte, p *bandit.PullRecord) []byte {
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

// parsePull reads the line of a pull, without its newline, into p.
func parsePull(line []byte, p *bandit.PullRecord) error {
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

// A pullsWriter writes pulls to a partial file, and compresses it when the trial ends.
type pullsWriter struct {
	partial
	round []byte // lines of the round that Record writes next
}

// publish compresses the partial file into a new file at path. id is the trial's ID. The new file may be lost in a power
// failure until the trial file is published.
func (p *pullsWriter) publish(path, id string) error {
	s, err := p.state(false)
	if err == nil {
		_, err = p.file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	return wholefile.WriteFuncAs(wholefile.Complete, path, func(to io.Writer) error {
		z, err := gzip.NewWriterLevel(to, gzip.BestCompression)
		if err != nil {
			return err
		}
		z.Comment = pullsComment(id, s.SHA256)
		if _, err := io.Copy(z, p.file); err != nil {
			return err
		}
		return z.Close()
	})
}
