package main

import (
	"debug/buildinfo"
	"encoding/json"
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
func billOfMaterials(program, version string, at time.Time) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	b := bill{Format: "CycloneDX", Spec: "1.5", Version: 1, Components: []component{}}
	b.Metadata.Timestamp = at.Format(time.RFC3339)
	b.Metadata.Component = component{Type: "application", Name: "banditsim", Version: version}
	b.Components = append(b.Components, component{Type: "library", Name: "std", Version: info.GoVersion, PURL: "pkg:golang/std@" + info.GoVersion, Licenses: choices([]string{"BSD-3-Clause"})})
	for _, m := range info.Deps {
		texts, err := licensesOf(m.Path, m.Version)
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, t := range texts {
			ids = append(ids, t.ids...)
		}
		b.Components = append(b.Components, component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version, Licenses: choices(ids)})
	}
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

func choices(ids []string) []licenseChoice {
	list := make([]licenseChoice, len(ids))
	for i, id := range ids {
		list[i].License.ID = id
	}
	return list
}
