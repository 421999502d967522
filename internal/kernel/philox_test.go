package kernel

import "testing"

// TestPhiloxKnownAnswers uses the known answers of the Random123 distribution (kat_vectors, philox4x32 with 10 rounds).
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		name            string
		key, nonce, ctr uint64
		want            [4]uint32
	}{
		{"zeros", 0, 0, 0, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{"ones", ^uint64(0), ^uint64(0), ^uint64(0), [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{"pi", 0x299f31d0_a4093822, 0x03707344_13198a2e, 0x85a308d3_243f6a88, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := Philox(c.key, c.nonce, c.ctr); got != c.want {
			t.Errorf("%s: got %08x, want %08x", c.name, got, c.want)
		}
	}
}

func TestPhiloxWords(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, first := range []uint64{0, 1<<32 - 9, 1<<64 - 70} {
			for n := range 400 {
				got := make([]uint64, n)
				PhiloxWords(got, 0x123456789abcdef0, 0xfedcba9876543210, first)
				for i, v := range got {
					b := Philox(0x123456789abcdef0, 0xfedcba9876543210, first+uint64(i/2))
					if want := uint64(b[i%2*2]) | uint64(b[i%2*2+1])<<32; v != want {
						t.Fatalf("from block %d: word %d of %d is %x, want %x", first, i, n, v, want)
					}
				}
			}
		}
	})
}
