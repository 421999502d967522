package plugin

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
)

// KindName is the name of policies and environments that are child processes, in the identity of their trials. Their
// labels are their own.
const KindName = "plugin"

// A Declaration declares a child process in an experiment.
type Declaration struct {
	Program
	Role string // one of the roles
	Rule string // of a posterior: one of Rules
	// Files are those that the trial's identity has the SHA-256 of; nil: the arguments of the command that are files.
	Files []string
}

// An Identity is what the identity of a trial has of a program.
type Identity struct {
	Command []string          `json:"command"`
	Files   map[string]string `json:"files"` // SHA-256 by path
	Options json.RawMessage   `json:"options"`
}

// Identity reads the files of the program.
func (d Declaration) Identity() (Identity, error) {
	id := Identity{Command: d.Command, Files: map[string]string{}, Options: d.Options}
	if len(d.Command) == 0 {
		return id, fmt.Errorf("plugin %s: the command is empty: want a program and its arguments", d.Name)
	}
	if len(id.Options) == 0 {
		id.Options = json.RawMessage("{}")
	}
	files := d.Files
	if files == nil {
		files = filesOf(d.Command)
	}
	for _, path := range files {
		sum, err := hashFile(path)
		if err != nil {
			return id, fmt.Errorf("plugin %s: files: %w", d.Name, err)
		}
		id.Files[filepath.ToSlash(path)] = sum
	}
	return id, nil
}

// filesOf returns the words of a command that are files: arguments, and the program if its path is relative.
func filesOf(command []string) []string {
	var list []string
	for i, word := range command {
		if i == 0 && (filepath.IsAbs(word) || !strings.ContainsRune(filepath.ToSlash(word), '/')) {
			continue // an interpreter, which differs between machines
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// KindName returns the name of its kind of policies.
func (d Declaration) KindName() string {
	if d.Role == RolePosterior {
		return KindName + "-" + d.Rule
	}
	return KindName
}

// program returns the program with the options of an identity, which settings may have changed.
func (d Declaration) program(id Identity) (Program, error) {
	p := d.Program
	p.Command, p.Options = id.Command, id.Options
	if t := bytes.TrimSpace(id.Options); len(t) == 0 || t[0] != '{' {
		return p, fmt.Errorf("options: %s, want a mapping", t)
	}
	return p, nil
}

// PolicyKind declares a policy.
func (d Declaration) PolicyKind(id Identity) policy.Kind[Identity] {
	var p probes
	return policy.Kind[Identity]{
		Name: d.KindName(), Doc: "the child process " + d.Program.String(),
		Defaults: func() Identity { return id },
		New: func(id Identity, s policy.Setup) (bandit.Policy, error) {
			program, err := d.program(id)
			if err != nil {
				return nil, err
			}
			return newPolicy(program, &p, s)
		},
	}
}

// PosteriorKind declares a posterior.
func (d Declaration) PosteriorKind(id Identity) posterior.Kind[Identity] {
	var p probes
	return posterior.Kind[Identity]{
		Name: d.KindName(), Doc: "the child process " + d.Program.String(),
		Defaults: func() Identity { return id },
		New: func(id Identity, s posterior.Setup) (posterior.Posterior, error) {
			program, err := d.program(id)
			if err != nil {
				return nil, err
			}
			return newPosterior(program, &p, s)
		},
	}
}

// Open starts the environment once to learn its specification.
func (d Declaration) Open(id Identity) (*datasets.World, error) {
	program, err := d.program(id)
	if err != nil {
		return nil, err
	}
	ready, err := probe(program, hello{Role: RoleEnvironment})
	if err != nil {
		return nil, err
	}
	return &datasets.World{
		Data: results.Data{},
		New: func(s *stream.Stream) (bandit.Environment, error) {
			return newEnvironment(program, ready, s), nil
		},
	}, nil
}

// SplitCommand splits a line into words as a shell does, with single and double quotes and backslashes, and nothing more.
func SplitCommand(line string) ([]string, error) {
	var list []string
	var word strings.Builder
	inWord := false
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case ch == ' ' || ch == '\t' || ch == '\n':
			if inWord {
				list = append(list, word.String())
				word.Reset()
			}
			inWord = false
			continue
		case ch == '\\':
			if i++; i == len(line) {
				return nil, errors.New("it ends with a backslash")
			}
			word.WriteByte(line[i])
		case ch == '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, errors.New("a single quote is not closed")
			}
			word.WriteString(line[i+1 : i+1+end])
			i += end + 1
		case ch == '"':
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`", line[i+1]) >= 0 {
					i++
				}
				word.WriteByte(line[i])
			}
			if i == len(line) {
				return nil, errors.New("a double quote is not closed")
			}
		default:
			word.WriteByte(ch)
		}
		inWord = true
	}
	if inWord {
		list = append(list, word.String())
	}
	if len(list) == 0 {
		return nil, errors.New("the command is empty")
	}
	return list, nil
}

// MaxTimeout bounds timeout.
const MaxTimeout = 24 * time.Hour
