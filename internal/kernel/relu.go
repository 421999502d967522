package kernel

// ReLU replaces what is negative by zero. NaN stays NaN, so that a fault is
// seen, and −0 stays −0,
//
//	for i := range x {
//		if x[i] < 0 {
//			x[i] = 0
//		}
//	}
func ReLU(x []float32) { relu(x) }

func reluPlain(x []float32) {
	for i, v := range x {
		if v < 0 {
			x[i] = 0
		}
	}
}

// ReLUGrad turns a gradient by activations into one by what went into [ReLU].
// h holds the activations after ReLU,
//
//	for i := range d {
//		if h[i] <= 0 { // false for NaN
//			d[i] = 0
//		}
//	}
func ReLUGrad(d, h []float32) {
	checkLen("h", len(h), len(d))
	reluGrad(d, h)
}

func reluGradPlain(d, h []float32) {
	for i, v := range h {
		if v <= 0 {
			d[i] = 0
		}
	}
}
