// Package yamltree reads experiment files and style files: one YAML document of lists, mappings and plain
// values, each with its place in the file.
package yamltree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/place"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// Limits of a file, far above what any use needs, so that no file fills the memory or takes long.
const (
	maxFile  = 64 << 10 // bytes
	maxDepth = 32       // levels of lists and mappings within each other
	maxNodes = 20_000   // values; a value that aliases repeat counts each time
	maxBlank = 200      // blank lines in a row; the parser is quadratic in their number
)

// A Node is a part of a YAML file with its place.
type Node struct {
	place.Place
	Kind   Kind
	Text   string  // text of a scalar as written, without quotes
	Items  []*Node // items of a list
	Fields []Field // fields of a mapping, in the order of the file; names are unique
}

// A Kind is the kind of a node.
type Kind int

// The kinds of nodes.
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

// ReadFile reads the file at path. Errors of the file system begin with name; errors in the text are place.Errors.
func ReadFile(name, path string) (*Node, error) {
	f, _, err := wholefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return Parse(path, b)
}

// Parse reads one document. Errors are place.Errors.
func Parse(file string, b []byte) (*Node, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff")) // a byte order mark
	src := place.NewSource(file, string(b[:min(len(b), maxFile)]))
	start := src.At(1, 1)
	if len(b) > maxFile {
		return nil, start.Wrap(fmt.Errorf("the file has more than %d bytes: is this an experiment file?", maxFile))
	}
	if i := strings.IndexRune(string(b), utf8.RuneError); i >= 0 && !utf8.Valid(b) {
		before := string(b[:i])
		column := utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:]) + 1
		return nil, src.At(strings.Count(before, "\n")+1, column).Wrap(errors.New("the text is not UTF-8"))
	}
	if line := tooManyBlank(b); line > 0 {
		return nil, src.At(line, 1).Wrap(fmt.Errorf("more than %d blank lines in a row begin here: delete them", maxBlank))
	}
	tokens := lexer.Tokenize(string(b))
	if t := tooDeep(tokens); t != nil {
		return nil, at(src, t).Wrap(fmt.Errorf("more than %d lists and mappings within each other", maxDepth))
	}
	parsed, err := parser.Parse(tokens, 0)
	if err != nil {
		if wrong, ok := errors.AsType[yaml.Error](err); ok && wrong.GetToken() != nil {
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

// tooManyBlank returns the line number of the first of more than maxBlank blank lines in a row, or 0. A lone carriage
// return ends a line here, as in the parser. But the line number counts line feeds only, as place.Source does.
func tooManyBlank(b []byte) int {
	line, first, blank := 1, 1, 0
	for i, c := range b {
		switch {
		case c == '\n' || c == '\r' && !(i+1 < len(b) && b[i+1] == '\n'):
			if blank++; blank > maxBlank+1 { // the first one counted is the end of the line before the blank ones
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

func at(src *place.Source, t *token.Token) place.Place {
	return src.At(t.Position.Line, t.Position.Column)
}

// tooDeep returns the token at which lists and mappings are nested deeper than maxDepth, or nil. It runs before the
// parser, whose cost grows with the square of the depth.
func tooDeep(tokens token.Tokens) *token.Token {
	flow := 0       // number of open lists and mappings in brackets or braces
	var block []int // columns of the other open lists and mappings
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
		if flow+len(block) > maxDepth {
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
	case r.nodes > maxNodes:
		return nil, here.Wrap(fmt.Errorf("more than %d values, counting those repeated by aliases each time", maxNodes))
	case depth > maxDepth:
		return nil, here.Wrap(fmt.Errorf("more than %d lists and mappings within each other: is an alias inside its own anchor?", maxDepth))
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
			m.Place = key.Place // the parser's place of a mapping is its first colon
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

// Must returns an error unless the node is of one of the kinds. name stands for the node in the error.
func (n *Node) Must(name string, kinds ...Kind) error {
	if slices.Contains(kinds, n.Kind) {
		return nil
	}
	want := lists.Each(kinds, func(k Kind) string { return k.String() })
	return n.Wrap(fmt.Errorf("%s is %s, want %s", name, n.Kind, strings.Join(want, " or ")))
}

// Scalar returns the text of a single value, which must not be empty. name stands for the value in errors.
func (n *Node) Scalar(name string) (string, error) {
	if err := n.Must(name, Scalar); err != nil {
		return "", err
	}
	if n.Text == "" {
		return "", n.Wrap(fmt.Errorf("%s is empty", name))
	}
	return n.Text, nil
}

// Texts returns the texts of a list of single values: [], not nil, if it is empty. name stands for the list in errors.
func (n *Node) Texts(name string) ([]string, error) {
	list := []string{}
	if err := n.Must(name, List); err != nil {
		return nil, err
	}
	for _, item := range n.Items {
		text, err := item.Scalar("an element of " + name)
		if err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, nil
}

// MarshalJSON encodes the node. A scalar with the text of a number, true or false becomes this value, even if the text
// is in quotes; other scalars become strings.
func (n *Node) MarshalJSON() ([]byte, error) {
	switch n.Kind {
	case Nothing:
		return []byte("null"), nil
	case List:
		return json.Marshal(append([]*Node{}, n.Items...))
	case Mapping:
		m := map[string]*Node{}
		for _, f := range n.Fields {
			m[f.Name] = f.Value
		}
		return json.Marshal(m)
	}
	number, err := check.ParseFloat(n.Text)
	switch {
	case n.Text == "true" || n.Text == "false", err == nil && json.Valid([]byte(n.Text)):
		return []byte(n.Text), nil // keeps all digits of an integer
	case err != nil:
		return json.Marshal(n.Text)
	}
	return json.Marshal(number)
}

// A Key is a key that a mapping may have. To receives its value: a *string, a Whole, or a func(*Node) error that reads
// the value. Key is an alias of an unnamed struct, so that go vet accepts literals without field names, such as
// {"name", &e.Name}, in other packages.
type Key = struct {
	Name string
	To   any
}

// A Whole is a Key.To that receives a whole number from Low to High.
type Whole = struct {
	To        *int
	Low, High int
}

// Parsed returns a function for Key.To that parses a scalar and stores the result in *p. name stands for it in errors.
func Parsed[T any](name string, p *T, parse func(string) (T, error)) func(*Node) error {
	return func(n *Node) error {
		text, err := n.Scalar(name)
		if err == nil {
			*p, err = parse(text)
		}
		return n.Wrap(err)
	}
}

// ReadKeys reads the values of a mapping in the order of the argument keys, and skips keys that the mapping lacks. A
// mapping key that is not in keys is an error, as is a missing required key. name stands for the mapping in errors.
func (n *Node) ReadKeys(name string, keys []Key, required ...string) (err error) {
	if err = n.Must(name, Mapping); err != nil {
		return err
	}
	known := lists.Each(keys, func(k Key) string { return k.Name })
	for _, f := range n.Fields {
		if !slices.Contains(known, f.Name) {
			return f.Wrap(nearest.Unknown(name+" has no", f.Name, known))
		}
	}
	for _, k := range keys {
		v := n.Get(k.Name)
		if v == nil {
			continue
		}
		switch to := k.To.(type) {
		case *string:
			*to, err = v.Scalar(k.Name)
		case Whole:
			err = v.whole(name+"."+k.Name, to)
		case func(*Node) error:
			err = to(v)
		}
		if err != nil {
			return err
		}
	}
	return n.Require(name, required...)
}

// whole reads a whole number. name stands for it in errors.
func (n *Node) whole(name string, w Whole) error {
	text, err := n.Scalar(name)
	if err != nil {
		return err
	}
	if *w.To, err = strconv.Atoi(text); err != nil {
		return n.Wrap(fmt.Errorf("%s: %q is not a whole number that fits 64 bits", name, words.Clip(text)))
	}
	return n.Wrap(check.Within(name, *w.To, w.Low, w.High))
}

// Require returns an error if a mapping lacks one of the keys. name stands for the mapping in the error.
func (n *Node) Require(name string, keys ...string) error {
	for _, k := range keys {
		if n.Get(k) == nil {
			return n.Wrap(fmt.Errorf("%s: %s is missing", name, k))
		}
	}
	return nil
}
