// Package yamltree reads experiment files and style files: one YAML document of lists, mappings and plain
// values, each with its place in the file.
package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"banditsim/internal/place"
	"banditsim/internal/wholefile"
)

// Bounds of a file, far above what any use needs, so that another file does not fill
// the memory.
const (
	MaxFile  = 64 << 10 // bytes
	MaxDepth = 32       // lists and mappings within each other
	MaxNodes = 20_000   // values; those repeated by aliases count each time
	MaxBlank = 200      // blank lines in a row, for whose square in a text the parser takes time
)

// A Node is a part of a YAML file with its place.
type Node struct {
	place.Place
	Kind   Kind
	Text   string  // text of a scalar as written, without quotes
	Items  []*Node // items of a list
	Fields []Field // fields of a mapping, in the order of the file; names are unique
}

// A Kind is what a node is.
type Kind int

// The kinds.
const (
	Nothing Kind = iota // null, or no value at all
	Scalar
	List
	Mapping
)

func (k Kind) String() string {
	return [...]string{"nothing", "a single value", "a list", "a mapping"}[k]
}

// A Field is a key of a mapping with its value.
type Field struct {
	place.Place // place of the key
	Name        string
	Value       *Node
}

// ReadFile reads the file at path, which what names in errors of the file system. Those of its text are
// place.Errors.
func ReadFile(what, path string) (*Node, error) {
	f, _, err := wholefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return Parse(path, b)
}

// Parse reads one document. Errors are place.Errors.
func Parse(file string, b []byte) (*Node, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff")) // a byte order mark
	src := place.NewSource(file, string(b[:min(len(b), MaxFile)]))
	start := src.At(1, 1)
	if len(b) > MaxFile {
		return nil, start.Wrap(fmt.Errorf("the file has more than %d bytes: is this an experiment file?", MaxFile))
	}
	for line, text := range slices.Collect(strings.Lines(string(b))) {
		if !utf8.ValidString(text) {
			return nil, src.At(line+1, validRunes(text)+1).Wrap(errors.New("the text is not UTF-8"))
		}
	}
	if line := tooManyBlank(b); line > 0 {
		return nil, src.At(line, 1).Wrap(fmt.Errorf("more than %d blank lines in a row begin here: delete them", MaxBlank))
	}
	tokens := lexer.Tokenize(string(b))
	if t := tooDeep(tokens); t != nil {
		return nil, at(src, t).Wrap(fmt.Errorf("more than %d lists and mappings within each other", MaxDepth))
	}
	parsed, err := parser.Parse(tokens, 0)
	if err != nil {
		var wrong yaml.Error
		if errors.As(err, &wrong) && wrong.GetToken() != nil {
			message := wrong.GetMessage()
			if strings.Contains(message, "'\t'") {
				message = "a tab: want blanks, by which YAML is indented"
			}
			return nil, at(src, wrong.GetToken()).Wrap(errors.New(message))
		}
		return nil, start.Wrap(err)
	}
	var body ast.Node
	for _, doc := range parsed.Docs {
		switch {
		case doc.Body == nil || doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.DirectiveType:
		case body != nil:
			return nil, at(src, doc.Body.GetToken()).Wrap(errors.New("a second document begins here: want one per file"))
		default:
			body = doc.Body
		}
	}
	if body == nil {
		return nil, start.Wrap(errors.New("the file has no content: 'banditsim init' writes one to start from"))
	}
	r := treeReader{src: src, anchors: map[string]ast.Node{}}
	return r.read(body, 1)
}

// tooManyBlank returns the line from which on more than MaxBlank lines are blank, counted as [place.Source] does, or 0. A
// carriage return alone is a line end to the parser, and no more than a blank to a Source.
func tooManyBlank(b []byte) int {
	line, first, blank := 1, 1, 0
	for i, c := range b {
		switch {
		case c == '\n' || c == '\r' && !(i+1 < len(b) && b[i+1] == '\n'):
			if blank++; blank > MaxBlank+1 { // the first ends a line that is not blank
				return first
			}
		case c != ' ' && c != '\t' && c != '\r':
			first, blank = line+1, 0
		}
		if c == '\n' {
			line++
		}
	}
	return 0
}

// validRunes returns the number of characters before the first invalid byte.
func validRunes(s string) int {
	n := 0
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			break
		}
		n++
	}
	return n
}

func at(src *place.Source, t *token.Token) place.Place {
	return src.At(t.Position.Line, t.Position.Column)
}

// tooDeep returns the token at which collections are nested too deep, or nil. It runs before the
// parser, whose cost grows with the square of the depth.
func tooDeep(tokens token.Tokens) *token.Token {
	flow := 0
	var block []int // columns of the open block collections
	for _, t := range tokens {
		column := t.Position.Column
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.MappingValueType: // the colon after a key
			if t.Prev != nil && t.Prev.Position.Line == t.Position.Line {
				column = t.Prev.Position.Column
			}
			fallthrough
		case token.SequenceEntryType, token.MappingKeyType:
			if flow > 0 {
				break
			}
			for len(block) > 0 && block[len(block)-1] >= column {
				block = block[:len(block)-1]
			}
			block = append(block, column)
		}
		if flow+len(block) > MaxDepth {
			return t
		}
	}
	return nil
}

// A treeReader converts a syntax tree to nodes.
type treeReader struct {
	src     *place.Source
	anchors map[string]ast.Node
	nodes   int
}

func (r *treeReader) read(n ast.Node, depth int) (*Node, error) {
	here := at(r.src, n.GetToken())
	r.nodes++
	switch {
	case r.nodes > MaxNodes:
		return nil, here.Wrap(fmt.Errorf("more than %d values, counting those repeated by aliases each time", MaxNodes))
	case depth > MaxDepth:
		return nil, here.Wrap(fmt.Errorf("more than %d lists and mappings within each other: is an alias inside its own anchor?", MaxDepth))
	}
	switch n := n.(type) {
	case *ast.AnchorNode:
		r.anchors[n.Name.GetToken().Value] = n.Value
		return r.read(n.Value, depth+1)
	case *ast.AliasNode:
		name := n.Value.GetToken().Value
		anchor, ok := r.anchors[name]
		if !ok {
			return nil, here.Wrap(fmt.Errorf("there is no anchor &%s before this alias", name))
		}
		return r.read(anchor, depth+1)
	case *ast.NullNode:
		return &Node{Place: here, Kind: Nothing}, nil
	case *ast.StringNode:
		return &Node{Place: here, Kind: Scalar, Text: n.Value}, nil
	case *ast.LiteralNode:
		return &Node{Place: here, Kind: Scalar, Text: n.Value.Value}, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &Node{Place: here, Kind: Scalar, Text: n.GetToken().Value}, nil
	case *ast.SequenceNode:
		seq := &Node{Place: here, Kind: List}
		for _, item := range n.Values {
			child, err := r.read(item, depth+1)
			if err != nil {
				return nil, err
			}
			seq.Items = append(seq.Items, child)
		}
		return seq, nil
	case *ast.MappingNode:
		return r.mapping(here, n.Values, depth)
	case *ast.MappingValueNode:
		return r.mapping(here, []*ast.MappingValueNode{n}, depth)
	}
	return nil, here.Wrap(fmt.Errorf("%s is not supported in experiment files: want lists, mappings and plain values", strings.ToLower(n.Type().YAMLName())))
}

func (r *treeReader) mapping(here place.Place, values []*ast.MappingValueNode, depth int) (*Node, error) {
	m := &Node{Place: here, Kind: Mapping}
	seen := make(map[string]bool, len(values))
	for i, v := range values {
		key, err := r.read(v.Key, depth+1)
		switch {
		case err != nil:
			return nil, err
		case key.Kind != Scalar:
			return nil, key.Wrap(fmt.Errorf("%s cannot be a key: want a name", key.Kind))
		case seen[key.Text]:
			return nil, key.Wrap(fmt.Errorf("%q occurs twice", key.Text))
		}
		seen[key.Text] = true
		if i == 0 {
			m.Place = key.Place // the token of a mapping is its first colon
		}
		value, err := r.read(v.Value, depth+1)
		if err != nil {
			return nil, err
		}
		m.Fields = append(m.Fields, Field{key.Place, key.Text, value})
	}
	return m, nil
}

// Get returns the value of a key of a mapping, or nil.
func (n *Node) Get(name string) *Node {
	for _, f := range n.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// Must returns an error if the node, described by what, is of none of the kinds.
func (n *Node) Must(what string, kinds ...Kind) error {
	if slices.Contains(kinds, n.Kind) {
		return nil
	}
	var want []string
	for _, k := range kinds {
		want = append(want, k.String())
	}
	return n.Wrap(fmt.Errorf("%s is %s, want %s", what, n.Kind, strings.Join(want, " or ")))
}

// Scalar returns the text of a single value.
func (n *Node) Scalar(what string) (string, error) {
	if err := n.Must(what, Scalar); err != nil {
		return "", err
	}
	if n.Text == "" {
		return "", n.Wrap(fmt.Errorf("%s is empty", what))
	}
	return n.Text, nil
}
