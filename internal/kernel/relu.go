package kernel

// ReLU sets negative elements to zero. It keeps −0, and NaN so that errors are not
// hidden,
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

// ReLUGrad changes d from the gradient with respect to the output of [ReLU], which is
// h, to that with respect to its input,
//
//	for i := range d {
//		if h[i] <= 0 { // not for NaN
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
