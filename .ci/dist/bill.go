package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// These types are the parts of a CycloneDX 1.5 bill of materials that a Go program has, https://cyclonedx.org/docs/1.5/json.
type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string          `json:"type"`
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	PURL     string          `json:"purl,omitempty"`
	Licenses []licenseChoice `json:"licenses,omitempty"`
}

type licenseChoice struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

// billOfMaterials lists the modules that a program was built from, as the program itself says.
func (b *build) billOfMaterials(program string) []byte {
	info := must(buildinfo.ReadFile(program))
	library := func(name, path, version string, ids []string) component {
		c := component{Type: "library", Name: name, Version: version, PURL: "pkg:golang/" + path + "@" + version}
		c.Licenses = make([]licenseChoice, len(ids))
		for i, id := range ids {
			c.Licenses[i].License.ID = id
		}
		return c
	}
	m := bill{Format: "CycloneDX", Spec: "1.5", Version: 1}
	m.Metadata.Timestamp = b.committed.Format(time.RFC3339)
	m.Metadata.Component = component{Type: "application", Name: "banditsim", Version: b.version}
	m.Components = []component{library("std", "std", info.GoVersion, []string{"BSD-3-Clause"})}
	for _, d := range info.Deps {
		i := slices.IndexFunc(b.modules, func(m module) bool { return m.Path == d.Path && m.Version == d.Version })
		if i < 0 {
			check(fmt.Errorf("%s has the module %s@%s, which 'go list' does not name", program, d.Path, d.Version))
		}
		var ids []string
		for _, l := range licensesIn(b.modules[i].Dir, d.Path) {
			ids = append(ids, l.ids...)
		}
		m.Components = append(m.Components, library(d.Path, d.Path, d.Version, ids))
	}
	return append(must(json.MarshalIndent(m, "", "  ")), '\n')
}
