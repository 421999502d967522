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

// A Program says how a child is started and what it is told of itself.
type Program struct {
	Name    string          // for errors
	Command []string        // a program and its arguments: no shell reads them
	Dir     string          // folder in which it runs, from which relative paths start; "" is that of this process
	Options json.RawMessage // a JSON object that hello passes on; nil: {}
	Timeout time.Duration   // limit of each answer; 0: DefaultTimeout
}

// String returns the name and the command.
func (p Program) String() string {
	return fmt.Sprintf("%s (%s)", p.Name, words.CommandLine(p.Command))
}

// KindName is the name of policies and environments that are child processes, in the identity of their trials. Their
// labels are their own.
const KindName = "plugin"

// A Declaration declares a child process in an experiment.
type Declaration struct {
	Program
	Role string // one of the roles
	Rule string // rule of a posterior: one of Rules
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

// filesOf returns the words of a command that are files: arguments, and the program if its path is relative.
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

// KindName returns the name of its kind of policies.
func (d Declaration) KindName() string {
	if d.Role == RolePosterior {
		return KindName + "-" + d.Rule
	}
	return KindName
}

// With returns the program with the command and the options of an identity, which settings may have changed.
func (d Declaration) With(id Identity) (Program, error) {
	p := d.Program
	p.Command, p.Options = id.Command, id.Options
	if t := bytes.TrimSpace(id.Options); len(t) == 0 || t[0] != '{' {
		return p, fmt.Errorf("options: %s, want a mapping", t)
	}
	return p, nil
}

// A Starter makes what runs declared child processes. It is passed in, so that a program that declares none does not link what
// starts and supervises them; plugin.Processes is the one.
type Starter interface {
	// Identity reads the files of the program.
	Identity(Declaration) (Identity, error)
	PolicyKind(Declaration, Identity) policy.Kind[Identity]
	PosteriorKind(Declaration, Identity) posterior.Kind[Identity]
	// Open starts the environment once to learn its specification.
	Open(Declaration, Identity) (*datasets.World, error)
}

var (
	// shellPiece matches the beginning of a line: blanks, or a part of a word that is quoted in one way.
	shellPiece = regexp.MustCompile(`^(?s:[ \t\n]+|\\.|'[^']*'|"(?:[^"\\]|\\.)*"|[^ \t\n\\'"]+)`)
	// escaped matches what a backslash escapes in double quotes.
	escaped = regexp.MustCompile("\\\\([\"\\\\$`])")
)

// splitCommand splits a line into words as a shell does, with single and double quotes and backslashes, and nothing more.
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

// MaxTimeout bounds timeout.
const MaxTimeout = 24 * time.Hour
