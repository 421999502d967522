package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A license is a file of a module that states one, or notices of parts of the module.
type license struct {
	file string
	ids  []string // SPDX identifiers
	text string
}

// marks are phrases that identify the texts of licenses.
var marks = []struct {
	id  string
	has []string
	not string
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

// licensesOf returns the licenses of a module.
func licensesOf(path, version string) ([]license, error) {
	cmd := exec.Command("go", "mod", "download", "-json", path+"@"+version)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download %s@%s: %w", path, version, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, err
	}
	return licensesIn(m.Dir, path)
}

// licensesIn returns the licenses in a module's folder, and in its folder of licenses if it has one: of the latter,
// which are alternatives, those whose marks are known. Every module must have one that is known.
func licensesIn(dir, path string) ([]license, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	choice, err := filepath.Glob(filepath.Join(dir, "licenses", "*"))
	if err != nil {
		return nil, err
	}
	var list []license
	known := false
	for _, path := range append(files, choice...) {
		name := filepath.Base(path)
		chosen := slices.Contains(choice, path)
		if info, err := os.Stat(path); err != nil || info.IsDir() || !chosen && !licenseFile.MatchString(name) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		l := license{file: name, ids: identify(text), text: string(bytes.TrimSpace(text))}
		if chosen && len(l.ids) == 0 {
			continue
		}
		known = known || len(l.ids) > 0
		list = append(list, l)
	}
	if !known {
		return nil, fmt.Errorf("%s has no license that is known: look at %s, and add its mark", path, dir)
	}
	return list, nil
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

// A module is one that the program is built from, on some system.
type module struct{ Path, Version, Dir string }

// modules returns the modules of all systems, by path.
func modules(root string) ([]module, error) {
	found := map[string]module{}
	for _, system := range systems {
		goos, arch, _ := strings.Cut(system, "/")
		cmd := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}`, "./cmd/banditsim")
		cmd.Dir, cmd.Stderr = root, os.Stderr
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) == 3 {
				found[f[0]] = module{f[0], f[1], f[2]}
			}
		}
	}
	var list []module
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// thirdParty returns THIRD-PARTY.md: what the program is built from, and the licenses of all of it, each text once.
func thirdParty(root string) ([]byte, error) {
	list, err := modules(root)
	if err != nil {
		return nil, err
	}
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
	distribution, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	standard, err := licensesIn(strings.TrimSpace(string(distribution)), "the Go distribution")
	if err != nil {
		return nil, err
	}
	add("the Go standard library and runtime", "", standard)
	for _, m := range list {
		licenses, err := licensesIn(m.Dir, m.Path)
		if err != nil {
			return nil, err
		}
		add(m.Path, m.Version, licenses)
	}
	var page bytes.Buffer
	page.WriteString(head)
	page.Write(table.Bytes())
	page.WriteString(data)
	page.Write(texts.Bytes())
	return page.Bytes(), nil
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
