// Package kernel implements the inner loops of a gradient step: float32 matrix
// products, a first layer whose inputs are 0 or 1, the Langevin update and normal
// deviates in bulk. It also has loops over float64 matrices, and [Exp] and [Log] with
// the same bits on every processor.
//
// # Reproducibility
//
// Every function returns the same bits on every processor and with every kernel
// (AVX-512, AVX2 with FMA, NEON, plain Go), because
//
//   - each output element is computed by one sequence of operations in the documented
//     order, whatever the vector width: each lane of a vector computes one element;
//   - all operations are rounded correctly in the sense of IEEE 754: add,
//     multiply, fused multiply-add, divide, square root, conversion. Approximate
//     reciprocals and roots are not used;
//   - Go code states whether a product and a sum are fused: fused ones call
//     [FMA32] or math.FMA, and all other products are converted, as in
//     float64(x*y) + z, which keeps the compiler from fusing them.
//
// Only the payload of a NaN may differ.
//
// # Conventions
//
// The doc comment of each function gives the Go loop that it is equivalent to.
// Matrices are row-major slices with a leading dimension: element (i, j) of c
// is c[i*ldc+j]. The functions do not keep their arguments, and do not allocate,
// except that [Nonzeros] may extend dst. They panic if a shape does not fit; the message
// has both sizes. Calls that write to different memory may run concurrently. A
// destination must not overlap a source unless the function's comment allows it.
//
// # Choice of the kernel
//
// The program uses the fastest kernel that the processor supports. The
// environment variable BANDITSIM_KERNEL (avx512, avx2, neon or go) selects another;
// if its value is unknown or unsupported, the program exits with code 2. [Name]
// returns the kernel in use, and [Slowness] how long it takes relative to AVX2 or NEON.
//
// On processors with a fused multiply-add instruction that the Go compiler uses
// (arm64, loong64, ppc64, ppc64le, riscv64, s390x), plain Go relies on it, which is checked at
// start. On other processors it computes fused multiply-adds in float64. The build tag
// noasm omits the assembly, and the build tag nofma omits the fused instructions.
//
// The module in _generate writes the assembly, which is committed.
package kernel

//go:generate go -C _generate run . -out ../kernel_amd64.s -stubs ../kernel_amd64.go -pkg kernel
