package a

type meters float64

func sums(x, y, z float64, a, b float32, m meters, n int) {
	_ = x*y + z          // want `a compiler may fuse this product with the sum it is in: want float64\(…\)`
	_ = z - x*y          // want `may fuse`
	_ = -(x * y) + z     // want `may fuse`
	_ = x*y - y*z        // want `may fuse` `may fuse`
	_ = a*b + a          // want `want float32\(…\)`
	_ = m*m + m          // want `want meters\(…\)`
	z += x * y           // want `may fuse`
	z -= 3 * y           // want `may fuse`
	_ = float64(a)*x + y // want `may fuse`
	_ = float64(x*y) + z // converted
	_ = 2*x + 0.25*y     // exact
	_ = float64(a)*float64(b) + z
	_ = n*n + n
	_ = 3*5 + z
	p := x * y // an assignment rounds too
	_ = p + z
	_ = x * (y + z)
}
