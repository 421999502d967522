package cli

import (
	"runtime/debug"
	"testing"
)

// TestSource: only a build from a tag has its version; a build has the revision if Go recorded it, and says that the source
// was changed.
func TestSource(t *testing.T) {
	t.Parallel()
	const revision = "7e96aab98780a3e975c8cda0c745e77c26420708"
	for _, c := range []struct {
		name, module, revision, modified string
		wantVersion, wantRevision        string
	}{
		{"tag", "v0.3.1", revision, "false", "0.3.1", "7e96aab98780"},
		{"candidate", "v1.0.0-rc.2", revision, "false", "1.0.0-rc.2", "7e96aab98780"},
		{"changed since the tag", "v0.3.1+dirty", revision, "true", "0.1.0-dev", "7e96aab98780+modified"},
		{"changed, under the version of the tag", "v0.3.1", revision, "true", "0.1.0-dev", "7e96aab98780+modified"},
		{"between tags", "v0.3.2-0.20261122213333-7e96aab98780", revision, "false", "0.1.0-dev", "7e96aab98780"},
		{"no tag", "v0.0.0-20261122213333-7e96aab98780", revision, "false", "0.1.0-dev", "7e96aab98780"},
		{"a short revision", "(devel)", "7e96aab", "false", "0.1.0-dev", "7e96aab"},
		{"no revision", "(devel)", "", "", "0.1.0-dev", ""},
		{"installed by version, without a checkout", "v0.3.1", "", "", "0.3.1", ""},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module}}
		if c.revision != "" {
			info.Settings = []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: c.revision}, {Key: "vcs.modified", Value: c.modified}}
		}
		b := build{Version: next + "-dev"}
		if b.source(info); b.Version != c.wantVersion || b.Revision != c.wantRevision {
			t.Errorf("%s: %s, revision %q, want %s, %q", c.name, b.Version, b.Revision, c.wantVersion, c.wantRevision)
		}
	}
}
