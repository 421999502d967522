package declare

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
	"regexp"
	"slices"
	"strings"
	"time"

	"banditsim/datasets"
	"banditsim/internal/words"
	"banditsim/internal/workdir"
	"banditsim/policy"
	"banditsim/posterior"
)

// The roles of a child.
const (
	RolePolicy      = "policy"
	RolePosterior   = "posterior"
	RoleEnvironment = "environment"
)

// A Program is the command that starts a child, and the options that are passed to it.
type Program struct {
	Name    string          // name in errors
	Command []string        // program and arguments; no shell interprets them
	Dir     string          // folder in which it runs and from which relative paths start; "" for the working directory of this process
	Options json.RawMessage // JSON object that is passed to the child; nil for {}
	Timeout time.Duration   // time limit for each answer; 0 for plugin.DefaultTimeout
}

// String returns the name and the command.
func (p Program) String() string {
	return fmt.Sprintf("%s (%s)", p.Name, words.CommandLine(p.Command))
}

// KindName is the name of children in trial identities, for posteriors its prefix. Labels and options tell them apart.
const KindName = "plugin"

// A Declaration declares a child process in an experiment.
type Declaration struct {
	Program
	Role string // RolePolicy, RolePosterior or RoleEnvironment
	Rule string // the rule by which a policy acts on a posterior, one of Rules
	// Files are the files whose SHA-256 is part of a trial's identity; nil: those that words of the command name.
	Files []string
}

// An Identity is the part of a trial's identity that describes a program.
type Identity struct {
	Command []string          `json:"command"`
	Files   map[string]string `json:"files"` // SHA-256 by path
	Options json.RawMessage   `json:"options"`
}

// Identity returns the identity of the program, for which it reads the program's files.
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
		files = filesOf(d.Dir, d.Command)
	}
	for _, path := range files {
		sum, err := hashFile(workdir.Join(d.Dir, path))
		if err != nil {
			return id, fmt.Errorf("plugin %s: files: %w", d.Name, err)
		}
		id.Files[filepath.ToSlash(path)] = sum
	}
	return id, nil
}

// filesOf returns the words of a command that name files: the first only if it is a relative path with a slash.
func filesOf(dir string, command []string) []string {
	var list []string
	for i, word := range command {
		if i == 0 && (filepath.IsAbs(word) || !strings.ContainsRune(filepath.ToSlash(word), '/')) {
			continue // an interpreter, which differs between machines
		}
		if info, err := os.Stat(workdir.Join(dir, word)); err == nil && info.Mode().IsRegular() && !slices.Contains(list, word) {
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

// KindName returns the name of the policy in trial identities: "plugin" or, for a posterior, "plugin-" and the rule.
func (d Declaration) KindName() string {
	if d.Role == RolePosterior {
		return KindName + "-" + d.Rule
	}
	return KindName
}

// With returns the declared program, but with the command and options of id, which settings may have changed.
func (d Declaration) With(id Identity) (Program, error) {
	p := d.Program
	p.Command, p.Options = id.Command, id.Options
	if t := bytes.TrimSpace(id.Options); len(t) == 0 || t[0] != '{' {
		return p, fmt.Errorf("options: %s, want a mapping", t)
	}
	return p, nil
}

// A Starter makes policies, posteriors and environments of declared child processes. The implementation is
// plugin.Processes. Starter is an interface so that programs without child processes need not link that package.
type Starter interface {
	// Identity returns the identity of a program, for which it reads the program's files.
	Identity(Declaration) (Identity, error)
	PolicyKind(Declaration, Identity) policy.Kind[Identity]
	PosteriorKind(Declaration, Identity) posterior.Kind[Identity]
	// Open returns the world of the declared environment. It starts the child once to learn the specification.
	Open(Declaration, Identity) (*datasets.World, error)
}

var (
	// shellPiece matches, at the beginning of a line, either blanks or a part of a word with one kind of quoting.
	shellPiece = regexp.MustCompile(`^(?s:[ \t\n]+|\\.|'[^']*'|"(?:[^"\\]|\\.)*"|[^ \t\n\\'"]+)`)
	// escaped matches a character that a backslash escapes in double quotes, with the backslash.
	escaped = regexp.MustCompile("\\\\([\"\\\\$`])")
)

// splitCommand splits a line into words as a shell does. Of the shell's syntax it knows only quotes and backslashes.
func splitCommand(line string) (list []string, err error) {
	for inWord := false; line != ""; {
		piece := shellPiece.FindString(line)
		line = line[len(piece):]
		text := piece
		switch {
		case piece == "":
			return nil, fmt.Errorf("%s: a quote is not closed, or the line ends with a backslash", line)
		case strings.TrimLeft(piece, " \t\n") == "":
			inWord = false
			continue
		case piece[0] == '\\':
			text = piece[1:]
		case piece[0] == '\'':
			text = piece[1 : len(piece)-1]
		case piece[0] == '"':
			text = escaped.ReplaceAllString(piece[1:len(piece)-1], "$1")
		}
		if !inWord {
			list = append(list, "")
		}
		inWord = true
		list[len(list)-1] += text
	}
	if len(list) == 0 {
		return nil, errors.New("the command is empty")
	}
	return list, nil
}

// MaxTimeout is the greatest timeout that a declaration may set.
const MaxTimeout = 24 * time.Hour
