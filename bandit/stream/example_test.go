package stream_test

import (
	"fmt"

	"banditsim/bandit/stream"
)

// A stream is determined by its role. Drawing from one stream does not change another, and a restored stream continues
// where it was saved.
func Example() {
	root := stream.Root(1)
	noise := root.Child("policy", "chain", 2, "noise")
	noise.Normals(make([]float32, 1000))

	batch := root.Child("policy", "chain", 2, "batch")
	fmt.Println(batch.IntN(100) == stream.Root(1).Child("policy", "chain", 2, "batch").IntN(100))

	saved, err := batch.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	next := batch.Uint64()
	var restored stream.Stream
	if err := restored.UnmarshalBinary(saved); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(restored.Uint64() == next)
	// Output:
	// true
	// true
}
