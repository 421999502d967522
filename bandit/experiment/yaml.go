package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"banditsim/internal/nearest"
	"banditsim/internal/place"
)

// Bounds of an experiment file, far above what any use needs, so that another file does not fill
// the memory.
const (
	maxFile  = 64 << 10 // bytes
	maxDepth = 32       // lists and mappings within each other
	maxNodes = 20_000   // values; those repeated by aliases count each time
)

// A node is a part of a YAML file with its place.
type node struct {
	place.Place
	kind   nodeKind
	text   string  // of a scalar as written, without quotes
	items  []*node // of a list
	fields []field // of a mapping, in the order of the file; names are unique
}

type nodeKind int

const (
	nothing nodeKind = iota // null, or no value at all
	scalar
	list
	mapping
)

func (k nodeKind) String() string {
	return [...]string{"nothing", "a single value", "a list", "a mapping"}[k]
}

// A field is a key of a mapping with its value.
type field struct {
	place.Place // of the key
	name        string
	value       *node
}

// parseYAML reads one document. Errors are place.Errors.
func parseYAML(file string, b []byte) (*node, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff")) // a byte order mark
	src := place.NewSource(file, string(b[:min(len(b), maxFile)]))
	start := src.At(1, 1)
	if len(b) > maxFile {
		return nil, start.Wrap(fmt.Errorf("the file has more than %d bytes: is this an experiment file?", maxFile))
	}
	for line, text := range slices.Collect(strings.Lines(string(b))) {
		if !utf8.ValidString(text) {
			return nil, src.At(line+1, validRunes(text)+1).Wrap(errors.New("the text is not UTF-8"))
		}
	}
	tokens := lexer.Tokenize(string(b))
	if t := tooDeep(tokens); t != nil {
		return nil, at(src, t).Wrap(fmt.Errorf("more than %d lists and mappings within each other", maxDepth))
	}
	parsed, err := parser.Parse(tokens, 0)
	if err != nil {
		var wrong yaml.Error
		if errors.As(err, &wrong) && wrong.GetToken() != nil {
			return nil, at(src, wrong.GetToken()).Wrap(errors.New(wrong.GetMessage()))
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

func (r *treeReader) read(n ast.Node, depth int) (*node, error) {
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
		return &node{Place: here, kind: nothing}, nil
	case *ast.StringNode:
		return &node{Place: here, kind: scalar, text: n.Value}, nil
	case *ast.LiteralNode:
		return &node{Place: here, kind: scalar, text: n.Value.Value}, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &node{Place: here, kind: scalar, text: n.GetToken().Value}, nil
	case *ast.SequenceNode:
		seq := &node{Place: here, kind: list}
		for _, item := range n.Values {
			child, err := r.read(item, depth+1)
			if err != nil {
				return nil, err
			}
			seq.items = append(seq.items, child)
		}
		return seq, nil
	case *ast.MappingNode:
		return r.mapping(here, n.Values, depth)
	case *ast.MappingValueNode:
		return r.mapping(here, []*ast.MappingValueNode{n}, depth)
	}
	return nil, here.Wrap(fmt.Errorf("%s is not supported in experiment files: want lists, mappings and plain values", strings.ToLower(n.Type().YAMLName())))
}

func (r *treeReader) mapping(here place.Place, values []*ast.MappingValueNode, depth int) (*node, error) {
	m := &node{Place: here, kind: mapping}
	for i, v := range values {
		key, err := r.read(v.Key, depth+1)
		switch {
		case err != nil:
			return nil, err
		case key.kind != scalar:
			return nil, key.Wrap(fmt.Errorf("%s cannot be a key: want a name", key.kind))
		case m.get(key.text) != nil:
			return nil, key.Wrap(fmt.Errorf("%q occurs twice", key.text))
		}
		if i == 0 {
			m.Place = key.Place // the token of a mapping is its first colon
		}
		value, err := r.read(v.Value, depth+1)
		if err != nil {
			return nil, err
		}
		m.fields = append(m.fields, field{key.Place, key.text, value})
	}
	return m, nil
}

// get returns the value of a key of a mapping, or nil.
func (n *node) get(name string) *node {
	for _, f := range n.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// must returns an error if the node, described by what, is of none of the kinds.
func (n *node) must(what string, kinds ...nodeKind) error {
	if slices.Contains(kinds, n.kind) {
		return nil
	}
	var want []string
	for _, k := range kinds {
		want = append(want, k.String())
	}
	return n.Wrap(fmt.Errorf("%s is %s, want %s", what, n.kind, strings.Join(want, " or ")))
}

// scalar returns the text of a single value.
func (n *node) scalar(what string) (string, error) {
	if err := n.must(what, scalar); err != nil {
		return "", err
	}
	if n.text == "" {
		return "", n.Wrap(fmt.Errorf("%s is empty", what))
	}
	return n.text, nil
}

// A key is the name of a key that a mapping may have, and the function that reads its value.
type key struct {
	name string
	read func(*node) error
}

// readKeys reads a mapping in the order of keys. Any other key in it is an error.
func (n *node) readKeys(what string, keys []key) error {
	if err := n.must(what, mapping); err != nil {
		return err
	}
	var known []string
	for _, k := range keys {
		known = append(known, k.name)
	}
	for _, f := range n.fields {
		if !slices.Contains(known, f.name) {
			return f.Wrap(fmt.Errorf("%s has no %q%s: known are %s", what, f.name, nearest.DidYouMean(f.name, known), strings.Join(known, ", ")))
		}
	}
	for _, k := range keys {
		if v := n.get(k.name); v != nil {
			if err := k.read(v); err != nil {
				return err
			}
		}
	}
	return nil
}
