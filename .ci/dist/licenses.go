package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A license is a file of a module with licenses, or with notices about parts of the module.
type license struct {
	file string
	ids  []string // SPDX identifiers
	text string
}

// marks are phrases that identify the texts of licenses.
var marks = []struct {
	id  string
	has []string // phrases that the text has
	not string   // phrase that the text does not have
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}, ""},
	{"MIT", []string{"Permission is hereby granted, free of charge", "to deal in the Software without restriction"}, ""},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "endorse or promote products"}, ""},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}, "endorse or promote products"},
	{"OFL-1.1", []string{"SIL OPEN FONT LICENSE Version 1.1"}, ""},
	{"FTL", []string{"The FreeType Project LICENSE"}, ""},
	{"Unlicense", []string{"This is free and unencumbered software released into the public domain"}, ""},
	{"CC-BY-4.0", []string{"Creative Commons Attribution 4.0"}, ""},
}

var licenseFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^notice|third.party.licen[cs]es`)

// licensesIn returns the license files in a module's folder dir. Of the files in dir/licenses, which are alternatives,
// it returns only those in which identify finds a license. It ends the program if identify finds none in any file.
func licensesIn(dir, path string) (list []license) {
	choice := must(filepath.Glob(filepath.Join(dir, "licenses", "*")))
	known := false
	for _, file := range append(must(filepath.Glob(filepath.Join(dir, "*"))), choice...) {
		name, chosen := filepath.Base(file), slices.Contains(choice, file)
		if info, err := os.Stat(file); err != nil || info.IsDir() || !chosen && !licenseFile.MatchString(name) {
			continue
		}
		text := must(os.ReadFile(file))
		l := license{file: name, ids: identify(text), text: string(bytes.TrimSpace(text))}
		if len(l.ids) > 0 || !chosen {
			list = append(list, l)
		}
		known = known || len(l.ids) > 0
	}
	if !known {
		check(fmt.Errorf("%s has no license that is known: look at %s, and add its mark", path, dir))
	}
	return list
}

// identify returns the identifiers of the licenses in a text.
func identify(text []byte) (ids []string) {
	words := strings.Join(strings.Fields(string(text)), " ")
	for _, m := range marks {
		if !slices.ContainsFunc(m.has, func(s string) bool { return !strings.Contains(words, s) }) && (m.not == "" || !strings.Contains(words, m.not)) {
			ids = append(ids, m.id)
		}
	}
	return ids
}

// A module is a dependency of the program on at least one system.
type module struct{ Path, Version, Dir string }

// modules returns the modules of all systems, sorted by path.
func modules() []module {
	found := map[string]module{}
	for _, system := range strings.Fields(os.Getenv("SYSTEMS")) {
		goos, arch, _ := strings.Cut(system, "/")
		const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}`
		cmd := exec.Command("go", "list", "-C", "../..", "-deps", "-f", format, "./cmd/banditsim")
		cmd.Env, cmd.Stderr = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch), os.Stderr
		for line := range strings.Lines(string(must(cmd.Output()))) {
			if f := strings.Fields(line); len(f) == 3 {
				found[f[0]] = module{f[0], f[1], f[2]}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b module) int { return strings.Compare(a.Path, b.Path) })
}

// thirdParty returns THIRD-PARTY.md: the modules in list and the Go distribution, with their licenses, each text once.
func thirdParty(list []module) []byte {
	var table, texts bytes.Buffer
	numbers := map[string]int{}
	add := func(name, version string, licenses []license) {
		var cells []string
		for _, l := range licenses {
			n, ok := numbers[l.text]
			if !ok {
				n = len(numbers) + 1
				numbers[l.text] = n
				fmt.Fprintf(&texts, "\n## %d\n\n```text\n%s\n```\n", n, l.text)
			}
			cells = append(cells, fmt.Sprintf("[%s](#%d)", strings.Join(append(l.ids, l.file)[:max(1, len(l.ids))], ", "), n))
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", name, version, strings.Join(cells, ", "))
	}
	goroot := must(exec.Command("go", "env", "GOROOT").Output())
	add("the Go standard library and runtime", "", licensesIn(string(bytes.TrimSpace(goroot)), "the Go distribution"))
	for _, m := range list {
		add(m.Path, m.Version, licensesIn(m.Dir, m.Path))
	}
	return slices.Concat([]byte(head), table.Bytes(), []byte(data), texts.Bytes())
}

const head = `# What the program is built from

For whoever distributes banditsim: the parts that the program contains and their licenses. ` + "`.ci/release -licenses`" + ` makes this page.

| part | version | license |
| --- | --- | --- |
`

const data = `
Figures embed the fonts Liberation Sans and Liberation Mono (codeberg.org/go-fonts/liberation, SIL Open Font License). The tables iris
(Fisher 1936) and digits (Alpaydin and Kaynak 1998) are from the UCI Machine Learning Repository, under Creative Commons Attribution 4.0.
`
