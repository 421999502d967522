// Command refit fits the replica of the mushroom data to the UCI file and writes its table:
//
//	go run ./datasets/mushroom/replica/refit -data PATH [-out FILE]
//
// PATH is agaricus-lepiota.data or its folder. Without -out the table goes to stdout. The same file
// gives the same table, byte for byte. A table that differs from the committed one makes another
// replica: renew replica.SHA256 (its test prints it) and announce it, as results on the replica can
// then not be compared with earlier ones.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"banditsim/datasets/mushroom"
)

func main() {
	data := flag.String("data", "", "the UCI `file`, or its folder")
	out := flag.String("out", "", "the `file` to write instead of stdout")
	flag.Parse()
	if err := run(*data, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "refit:", err)
		os.Exit(1)
	}
}

func run(data, out string, rest []string) error {
	if data == "" || len(rest) > 0 {
		return errors.New("usage: refit -data PATH [-out FILE]")
	}
	table, err := mushroom.ReadFile(context.Background(), data)
	if err != nil {
		return err
	}
	if table.Source != mushroom.SourceUCI {
		return fmt.Errorf("%s is not the UCI file: SHA-256 %s, want %s", table.Path, table.SHA256, mushroom.UCISHA256)
	}
	text := refit(table)
	if out == "" {
		_, err = os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(out, text, 0o644)
}
