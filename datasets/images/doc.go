// Package images is the environment of pictures: each class is an arm, and the arm of the picture's class pays 1. It reads
// the IDX files of MNIST and its successors.
package images
