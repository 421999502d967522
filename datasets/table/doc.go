// Package table makes a bandit of any labeled file: CSV, TSV, ARFF or libsvm, plain or compressed by
// gzip. Each pull draws a row; its class decides the rewards of the arms.
//
// The order of columns is that of the file. Values of a category, and with them the arms, are sorted: as
// numbers if all are, else by their bytes; those of an ARFF file are in the order of their declaration.
// A table is read-only once it is read, and environments share it.
package table
