// Command fma is a tool of go vet that finds floating-point products that are added without a conversion. A compiler
// may fuse x*y + z into one instruction that rounds once, as on arm64, on ppc64 and with GOAMD64=v3: results then
// depend on the processor. An explicit conversion, float64(x*y) + z, keeps the product from being fused (Go
// specification, "Floating-point operators").
//
//	go -C .ci/fma build -o /tmp/fma . && go vet -vettool=/tmp/fma ./nn ./posterior/...
//
// Exact products are not reported, because fusing them changes nothing: products of a number and a constant power of
// two, and of two numbers that were converted from float32 to float64.
package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "fma",
	Doc:  "report floating-point products in sums that a compiler may fuse",
	Run:  run,
}

func main() { unitchecker.Main(Analyzer) }

func run(pass *analysis.Pass) (any, error) {
	check := func(term ast.Expr) {
		product := fusible(pass.TypesInfo, term)
		if product == nil {
			return
		}
		t := types.TypeString(pass.TypesInfo.TypeOf(product), types.RelativeTo(pass.Pkg))
		pass.Report(analysis.Diagnostic{
			Pos: product.Pos(), Message: "a compiler may fuse this product with the sum it is in: want " + t + "(…)",
			SuggestedFixes: []analysis.SuggestedFix{{Message: "convert the product", TextEdits: []analysis.TextEdit{
				{Pos: product.Pos(), End: product.Pos(), NewText: []byte(t + "(")},
				{Pos: product.End(), End: product.End(), NewText: []byte(")")},
			}}},
		})
	}
	for _, file := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(file.Pos()).Filename, "_test.go") {
			continue // the bits of results do not depend on tests
		}
		for n := range ast.Preorder(file) {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.ADD || n.Op == token.SUB {
					check(n.X)
					check(n.Y)
				}
			case *ast.AssignStmt:
				if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
					check(n.Rhs[0])
				}
			}
		}
	}
	return nil, nil
}

// fusible returns term, a term of a sum, if it is a product and fusing it with the sum may change the result, else nil.
func fusible(info *types.Info, term ast.Expr) *ast.BinaryExpr {
	term = ast.Unparen(term)
	for sign, ok := term.(*ast.UnaryExpr); ok && (sign.Op == token.SUB || sign.Op == token.ADD); sign, ok = term.(*ast.UnaryExpr) {
		term = ast.Unparen(sign.X)
	}
	product, ok := term.(*ast.BinaryExpr)
	if !ok || product.Op != token.MUL || info.Types[product].Value != nil {
		return nil
	}
	basic, ok := info.TypeOf(product).Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsFloat == 0 {
		return nil
	}
	if powerOfTwo(info, product.X) || powerOfTwo(info, product.Y) || basic.Kind() == types.Float64 && widened(info, product.X) && widened(info, product.Y) {
		return nil
	}
	return product
}

// powerOfTwo reports whether an expression is a constant ±2ᵏ.
func powerOfTwo(info *types.Info, e ast.Expr) bool {
	v := info.Types[e].Value
	if v == nil {
		return false
	}
	f, _ := constant.Float64Val(constant.ToFloat(v))
	fraction, _ := math.Frexp(math.Abs(f))
	return fraction == 0.5
}

// widened reports whether e converts a float32 to float64. Such numbers have 24 bits, so the product of two is exact.
func widened(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() {
		return false
	}
	from, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Basic)
	return ok && from.Kind() == types.Float32
}
