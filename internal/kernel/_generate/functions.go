package main

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"log"
	"os"
	"slices"
	"strings"
)

// A function has one version for each instruction set. If its work is divided into panels
// of columns, it has one for each instruction set and kind of panel. The name of a version
// consists of the names of the function, the panel and the instruction set. If there is only
// one to call, for arm64 without panels, its name is that of the Go function of writeCalls.
type function struct{ name, signature, doc string }

var (
	productFunction = function{"product", "func(t *byte)", "is MulAdd over one panel of columns."}
	skipFunction    = function{"skip", "func(t *byte)", "is MulAdd over one panel of columns with Ends.Skip, for up to 64 columns of A."}

	sumRowsFunction    = function{"sumRows", "func(t *byte)", "is SumRows over one panel of columns."}
	addRowsFunction    = function{"addRows", "func(t *byte)", "is AddRows over one panel of columns."}
	gatherRowsFunction = function{"gatherRows", "func(t *byte)",
		"is AddRows over one panel of columns with transposed lists: m rows of table, up to 64 rows of dense."}
	columnSumsFunction = function{"columnSums", "func(t *byte)", "is ColumnSums over one panel of columns."}
	maxIndexFunction   = function{"maxIndex", "func(idx *int32, vectors int) uint32",
		"returns the maximum of 8·vectors indices as unsigned numbers; vectors ≥ 1."}

	packRowsFunction = function{"packRows", "func(dst, src *float32, lds, rows, vectors int, last uint16, lanes *int32)",
		"copies rows that consist of whole vectors (vectors is their number) and a last, possibly partial one; lds in bytes, rows ≥ 1."}
	nonzeroRowsFunction = function{"nonzeroRows", "func(bits *uint64, a *float32, lda, m, k int)",
		"sets bit p of bits[i] if a[i·lda+p] is not zero; lda in bytes, m ≥ 1, k from machine.wide to 64."}
	nonzeroColumnsFunction = function{"nonzeroColumns", "func(bits *uint64, a *float32, lda, k int)",
		"sets bit p of bits[i] if a[p·lda+i] is not zero, for i below machine.wide; lda in bytes, k from 1 to 64."}

	reluFunction       = function{"relu", "func(x *float32, vectors int)", "is ReLU; vectors ≥ 1."}
	reluGradFunction   = function{"reluGrad", "func(d, h *float32, vectors int)", "is ReLUGrad; vectors ≥ 1."}
	axpyFunction       = function{"axpy", "func(y *float32, a float32, x *float32, vectors int)", "is Axpy; vectors ≥ 1."}
	transpose4Function = function{"transpose4", "func(dst *float32, ldd int, src *float32, lds, blocks int)",
		"transposes 4×4 blocks that are side by side in src; strides in bytes, blocks ≥ 1."}

	addScaledFunction     = function{"addScaled", "func(y *float64, a float64, x *float64, n int)", "is AddScaled; n ≥ 1."}
	subtractOuterFunction = function{"subtractOuter", "func(p, v *float64, by float64, n, rows int)",
		"is SubtractOuter for a triangle of n columns; n ≥ rows ≥ 1."}
	dotRowsFunction     = function{"dotRows", "func(sums, p *float64, starts *int, index *int32, value *float64, n int)", "is DotRows; n ≥ 1."}
	dotColumnsFunction  = function{"dotColumns", "func(dst, p, x *float64, n int)", "is DotColumns; n ≥ 1."}
	quadColumnsFunction = function{"quadColumns", "func(dst, p, x *float64, n int)", "adds QuadColumns to dst; n ≥ 1."}

	normalsFunction = function{"normals", "func(dst *float32, chunks int, keys *[20]uint32, nonce, firstBlock uint64)",
		"is Normals for whole chunks; keys are the round keys, two per round; chunks ≥ 1."}
	philoxWordsFunction = function{"philoxWords", "func(dst *uint32, groups int, keys *[20]uint32, nonce, firstBlock uint64)",
		"writes groups of machine.wide blocks, each group as the first words of all its blocks, then the second, third and fourth; groups ≥ 1."}
	peakFunction = function{"peak", "func(rounds int)", "performs machine.peakChains fused multiply-adds of vectors per round."}
)

// langevinFunction returns the Langevin update with or without preconditioner and noise.
func langevinFunction(precondition, noise bool) function {
	f := function{"langevin", "func(x, grad", "is LangevinPlain; vectors ≥ 1."}
	if precondition {
		f.name += "V"
		f.signature += ", v"
	}
	if noise {
		f.name += "W"
		f.signature += ", w"
	}
	f.signature += " *float32, c *float32, vectors int)"
	return f
}

// parsed returns the type that an expression denotes.
func parsed(expression string) types.Type {
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expression)
	if err != nil {
		log.Fatal(err)
	}
	return v.Type
}

// layout returns the offset in bytes of each field of the struct called name in a file of package kernel. The keys are the fields' names.
func layout(file, name string) map[string]int {
	text, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "\ntype "+name+" ")
	body, _, _ := strings.Cut(after, "\n}\n")
	fields := slices.Collect(parsed(body + "\n}").(*types.Struct).Fields())
	offsets := map[string]int{}
	for i, offset := range types.SizesFor("gc", "amd64").Offsetsof(fields) {
		offsets[fields[i].Name()] = int(offset)
	}
	return offsets
}

var (
	functions []function // of all instruction sets
	// versions lists the names of versions in the order of panels. A key is the name of a function and that of an instruction set.
	versions = map[[2]string][]string{}
)

// version records a version of f, and returns its name.
func (f function) version(panel, set string) (name string) {
	if !slices.Contains(functions, f) {
		functions = append(functions, f)
	}
	name = f.name + panel + set
	if panel == "" && set == "NEON" {
		name = f.name + "Asm"
	}
	of := [2]string{f.name, set}
	versions[of] = append(versions[of], name)
	return name
}

// writeCalls writes a Go function for each element of functions. The Go function calls the
// version for the active instruction set and, if there are panels, for the panel whose
// number it is given. sets lists the instruction sets, the fastest first; the last one that
// has a version needs no check that it is active. If the name of that version is that of the
// Go function, there is none to write. Without any version the Go function panics.
func writeCalls(path, assembly, constraint string, sets ...string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "// Code generated by command: go generate. DO NOT EDIT.\n\n//go:build %s\n\npackage kernel\n\nconst assembly = %q\n",
		constraint, assembly)
	for _, f := range functions {
		absent := func(set string) bool { return versions[[2]string{f.name, set}] == nil }
		present := slices.DeleteFunc(slices.Clone(sets), absent)
		if len(present) > 0 && slices.Contains(versions[[2]string{f.name, present[0]}], f.name+"Asm") {
			continue
		}
		signature := parsed(f.signature).(*types.Signature)
		head := strings.TrimPrefix(signature.String(), "func")
		var names []string
		for p := range signature.Params().Variables() {
			names = append(names, p.Name())
		}
		panels, returns := names[0] == "t", ""
		if panels {
			head = "(panel int, " + head[1:]
		}
		if signature.Results() != nil {
			returns = "return "
		}
		fmt.Fprintf(&b, "\nfunc %sAsm%s {\n", f.name, head)
		for i, set := range present {
			body := ""
			for k, name := range versions[[2]string{f.name, set}] {
				if panels {
					body += fmt.Sprintf("case %d:\n", k)
				}
				body += fmt.Sprintf("%s%s(%s)\n", returns, name, strings.Join(names, ", "))
			}
			if panels {
				body = "switch panel {\n" + body + "}\n"
			}
			if i+1 < len(present) {
				body = fmt.Sprintf("if active == %s {\n%sreturn\n}\n", strings.ToLower(set), body)
			}
			b.WriteString(body)
		}
		if len(present) == 0 {
			b.WriteString("panic(\"kernel: no assembly\")\n")
		}
		b.WriteString("}\n")
	}
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}
