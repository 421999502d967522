package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra/doc"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

// A build is what all archives share.
type build struct {
	root, work string
	version    string
	committed  time.Time // the time of all files
	common     []file    // completions, man pages, licenses
	modules    []module
}

// A file is a file of an archive.
type file struct {
	name       string
	text       []byte
	executable bool
}

// prepare sets all but the folders.
func (b *build) prepare() {
	seconds := must(strconv.ParseInt(strings.TrimSpace(string(b.run("git", "log", "-1", "--format=%ct"))), 10, 64))
	b.committed = time.Unix(seconds, 0).UTC()
	program := b.compile(runtime.GOOS, runtime.GOARCH)
	var v struct{ Version, Revision string }
	check(json.Unmarshal(b.run(program, "version", "-o", "json"), &v))
	b.version = v.Version
	if v.Revision == "" {
		check(fmt.Errorf("the build has no revision: %s must be a clone, in which Go finds git's folder", b.root))
	}
	if strings.HasSuffix(v.Version, "-dev") {
		b.version += "-" + v.Revision
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		text := b.run(program, "completion", shell)
		b.common = append(b.common, file{name: "completions/banditsim." + shell, text: text})
	}
	b.common = append(b.common, b.manPages()...)
	b.modules = modules(b.root)
	b.common = append(b.common, file{name: "THIRD-PARTY.md", text: thirdParty(b.modules)})
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		b.common = append(b.common, file{name: name, text: must(os.ReadFile(filepath.Join(b.root, name)))})
	}
}

// run returns what a command in the project's folder writes.
func (b *build) run(name string, args ...string) []byte { return output(b.root, nil, name, args...) }

// output returns what a command in a folder writes.
func output(dir string, env []string, name string, args ...string) []byte {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr, cmd.Env = dir, os.Stderr, append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		check(fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err))
	}
	return out
}

// static is the environment of builds for a system.
func static(goos, arch string) []string {
	return []string{"CGO_ENABLED=0", "GOOS=" + goos, "GOARCH=" + arch}
}

// compile returns the path of the static program for a system.
func (b *build) compile(goos, arch string) string {
	out := filepath.Join(b.work, "banditsim-"+goos+"-"+arch)
	flags := []string{"build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", out, "./cmd/banditsim"}
	output(b.root, static(goos, arch), "go", flags...)
	return out
}

// manPages returns a page for each command.
func (b *build) manPages() (pages []file) {
	dir := filepath.Join(b.work, "man")
	check(os.Mkdir(dir, 0o777))
	root := cli.Command(builtin.Default())
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Title: "BANDITSIM", Section: "1", Date: &b.committed, Source: "banditsim " + b.version, Manual: "banditsim"}
	check(doc.GenManTree(root, header, dir))
	for _, e := range must(os.ReadDir(dir)) {
		pages = append(pages, file{name: "man/" + e.Name(), text: must(os.ReadFile(filepath.Join(dir, e.Name())))})
	}
	return pages
}

// archive writes the archive of a system to out and returns its path.
func (b *build) archive(system, out string) string {
	goos, arch, ok := strings.Cut(system, "/")
	if !ok || !slices.Contains(systems, system) {
		check(fmt.Errorf("%s: unknown, want some of %s", system, strings.Join(systems, ", ")))
	}
	program := b.compile(goos, arch)
	name, ending, write := "banditsim", ".tar.gz", writeTar
	if goos == "windows" {
		name, ending, write = "banditsim.exe", ".zip", writeZip
	}
	files := append([]file{
		{name: name, text: must(os.ReadFile(program)), executable: true},
		{name: "sbom.cdx.json", text: b.billOfMaterials(program)},
	}, b.common...)
	folder := fmt.Sprintf("banditsim_%s_%s_%s", b.version, goos, arch)
	var buffer bytes.Buffer
	write(&buffer, folder, files, b.committed)
	path := filepath.Join(out, folder+ending)
	check(os.WriteFile(path, buffer.Bytes(), 0o666))
	return path
}
