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
}

// A file is a file of an archive.
type file struct {
	name       string
	text       []byte
	executable bool
}

func newBuild(root string) (*build, error) {
	b := &build{root: root}
	var err error
	if b.work, err = os.MkdirTemp("", "dist"); err != nil {
		return nil, err
	}
	seconds, err := b.run("git", "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	unix, err := strconv.ParseInt(strings.TrimSpace(string(seconds)), 10, 64)
	if err != nil {
		return nil, err
	}
	b.committed = time.Unix(unix, 0).UTC()
	program, err := b.compile(runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return nil, err
	}
	text, err := b.run(program, "version", "--json")
	if err != nil {
		return nil, err
	}
	var v struct{ Version, Revision string }
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	b.version = v.Version
	if v.Revision == "" {
		return nil, fmt.Errorf("the build has no revision: %s must be a clone, in which Go finds git's folder", root)
	}
	if strings.HasSuffix(v.Version, "-dev") {
		b.version += "-" + v.Revision
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		text, err := b.run(program, "completion", shell)
		if err != nil {
			return nil, err
		}
		b.common = append(b.common, file{name: "completions/banditsim." + shell, text: text})
	}
	pages, err := b.manPages()
	if err != nil {
		return nil, err
	}
	b.common = append(b.common, pages...)
	notices, err := thirdParty(root)
	if err != nil {
		return nil, err
	}
	b.common = append(b.common, file{name: "THIRD-PARTY.md", text: notices})
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		b.common = append(b.common, file{name: name, text: text})
	}
	return b, nil
}

// run returns what a command in the project's folder writes.
func (b *build) run(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = b.root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return out, nil
}

// compile returns the path of the static program for a system.
func (b *build) compile(goos, arch string) (string, error) {
	out := filepath.Join(b.work, "banditsim-"+goos+"-"+arch)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", out, "./cmd/banditsim")
	cmd.Dir, cmd.Stderr = b.root, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go build: %w", err)
	}
	return out, nil
}

// manPages returns a page for each command.
func (b *build) manPages() ([]file, error) {
	dir := filepath.Join(b.work, "man")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	root := cli.Command(builtin.Default())
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Title: "BANDITSIM", Section: "1", Date: &b.committed, Source: "banditsim " + b.version, Manual: "banditsim"}
	if err := doc.GenManTree(root, header, dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var pages []file
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		pages = append(pages, file{name: "man/" + e.Name(), text: text})
	}
	return pages, nil
}

// archive writes the archive of a system to out and returns its path.
func (b *build) archive(system, out string) (string, error) {
	goos, arch, ok := strings.Cut(system, "/")
	if !ok || !slices.Contains(systems, system) {
		return "", fmt.Errorf("unknown, want some of %s", strings.Join(systems, ", "))
	}
	program, err := b.compile(goos, arch)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	bill, err := billOfMaterials(program, b.version, b.committed)
	if err != nil {
		return "", err
	}
	name := "banditsim"
	if goos == "windows" {
		name += ".exe"
	}
	files := append([]file{{name: name, text: text, executable: true}, {name: "sbom.cdx.json", text: bill}}, b.common...)
	folder := fmt.Sprintf("banditsim_%s_%s_%s", b.version, goos, arch)
	var buffer bytes.Buffer
	path := filepath.Join(out, folder+".tar.gz")
	write := writeTar
	if goos == "windows" {
		path, write = filepath.Join(out, folder+".zip"), writeZip
	}
	if err := write(&buffer, folder, files, b.committed); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, buffer.Bytes(), 0o666)
}
