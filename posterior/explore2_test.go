package posterior
import ("testing";"fmt";"math";"time")
var CW = 4.
func TestLaw(t *testing.T) {
	l, _ := fixedPoint(.9)
	for _, CW = range []float64{3,4,6,10} {
	for _, eps := range []float64{.02,.01,.005} {
		t0 := time.Now()
		fmt.Printf("CW %g eps %g law at theta*: %.5f %v\n", CW, eps, discreteLaw(.9, eps, l), time.Since(t0))
	}}
	for _, CW = range []float64{3, 4, 6} {
	for _, eps := range []float64{.02,.01} {
		x := append([]float64(nil), l...)
		for range 60 {
			o := discreteLaw(.9, eps, x)
			worst := 0.
			for i := range o { x[i] += .8*math.Log(o[i]*10)/.9; worst = max(worst, math.Abs(o[i]-.1)) }
		}
		for i := range x { fmt.Printf(" %.4f", x[i]-x[0]) }
		fmt.Println(CW, eps)
	}}
}
