// Package kernel implements the inner loops of a gradient step: float32 matrix
// products, a first layer with one-hot inputs, the Langevin update and normal
// deviates in bulk. It also has the elementary functions whose bits must not
// depend on the processor.
//
// # Reproducibility
//
// Every function returns the same bits on every processor and with every kernel
// (AVX-512, AVX2 with FMA, NEON, plain Go), because
//
//   - an output element is one chain of operations in one documented order,
//     whatever the vector width: vectors compute many chains side by side;
//   - all operations are rounded correctly in the sense of IEEE 754: add,
//     multiply, fused multiply-add, divide, square root, conversion. Approximate
//     reciprocals and roots are not used;
//   - Go code states whether a product and a sum are fused: a fused one is
//     written [FMA32] or math.FMA, and other products stand in a conversion, as
//     in float64(x*y) + z, which keeps the compiler from fusing them.
//
// Only the payload of a NaN may differ.
//
// # Conventions
//
// The doc comment of each function gives the Go loop that it is equivalent to.
// Matrices are row-major slices with a leading dimension: element (i, j) of c
// is c[i*ldc+j]. The functions do not allocate, do not keep their arguments, and
// panic if a shape does not fit, with the two sizes in the message. Calls that
// write to different memory may run concurrently. A destination must not
// overlap a source unless the comment allows it.
//
// # Choice of the kernel
//
// The program uses the fastest kernel that the processor supports. The
// environment variable BANDITSIM_KERNEL (avx512, avx2, neon or go) selects another;
// if that is unknown or unsupported, the program ends with exit code 2. [Name]
// returns the kernel in use, [Slowness] how it compares with the others.
//
// Plain Go leaves fused multiply-adds to the compiler on processors for which it
// has an instruction (arm64, loong64, ppc64, riscv64, s390x), which is checked at start, and
// computes them in float64 elsewhere. The build tag noasm omits the assembly, the build
// tag nofma the fused instructions.
//
// The module in _generate writes the assembly, which is committed.
package kernel

//go:generate go -C _generate run . -out ../kernel_amd64.s -stubs ../kernel_amd64.go -pkg kernel
