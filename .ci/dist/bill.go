package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// An object is a JSON object.
type object map[string]any

// billOfMaterials returns the modules in a program's build information as CycloneDX 1.5,
// https://cyclonedx.org/docs/1.5/json.
func billOfMaterials(program, version string, at time.Time) []byte {
	info, known := must(buildinfo.ReadFile(program)), modules()
	library := func(path, version string, ids []string) object {
		var licenses []object
		for _, id := range ids {
			licenses = append(licenses, object{"license": object{"id": id}})
		}
		purl := "pkg:golang/" + path + "@" + version
		return object{"type": "library", "name": path, "version": version, "purl": purl, "licenses": licenses}
	}
	components := []object{library("std", info.GoVersion, []string{"BSD-3-Clause"})}
	for _, d := range info.Deps {
		i := slices.IndexFunc(known, func(m module) bool { return m.Path == d.Path && m.Version == d.Version })
		if i < 0 {
			check(fmt.Errorf("%s has the module %s@%s, which 'go list' does not name", program, d.Path, d.Version))
		}
		var ids []string
		for _, l := range licensesIn(known[i].Dir, d.Path) {
			ids = append(ids, l.ids...)
		}
		components = append(components, library(d.Path, d.Version, ids))
	}
	application := object{"type": "application", "name": "banditsim", "version": version}
	return append(must(json.MarshalIndent(object{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": components,
		"metadata": object{"timestamp": at.Format(time.RFC3339), "component": application},
	}, "", "  ")), '\n')
}
