package plugin

import (
	"strings"
	"testing"

	"banditsim/internal/must"
)

const traceback = `Traceback (most recent call last):
  File "/home/a/mine.py", line 261, in serve
    answer = server.answer(message)
  File "/home/a/mine.py", line 20, in learn
    numpy.linalg.inv(self.a)
    ~~~~~~~~~~~~~~~~^^^^^^^^
  File "/usr/lib/python3/dist-packages/numpy/linalg/linalg.py", line 561, in inv
    raise LinAlgError("Singular matrix")
numpy.linalg.LinAlgError: Singular matrix`

// TestException checks that the error of a Python child begins with the line of the user's file and names the failed message.
func TestException(t *testing.T) {
	for _, test := range []struct{ role, fault, at, want, without string }{
		{RolePolicy, "raises", "act",
			"mine.py:20, in learn: numpy.linalg.LinAlgError: Singular matrix: plugin A child (NAME): request 4, act of pulls 4 to 6: it answered with this error", "stderr"},
		{RolePolicy, "raises", "learn", "request 2, learn before end of round 1: it answered with this error", "stderr"},
		{RolePolicy, "raises and exits", "end",
			"mine.py:20, in learn: numpy.linalg.LinAlgError: Singular matrix: plugin A child (NAME): request 3, learn or end of round 1: it ended without an answer: exit status 1", "stderr"},
		{RolePolicy, "raises and exits otherwise", "end", // the child had caught the exception
			"plugin A child (NAME): request 3, learn or end of round 1: it ended without an answer: exit status 3; its last lines on stderr: File", "mine.py:20"},
		{RolePosterior, "error", "observe", "request 2, observe before update 1: it answered with an error: I give up", "mine.py"},
		{RolePosterior, "exit", "update", "request 3, observe or update 1: it ended without an answer: exit status 3; its last lines on stderr: out of luck", "mine.py"},
		{RolePosterior, "exit", "update 2", "observe or update", "mine.py"},
		{RolePosterior, "exit", "predict", "request 4, predict draw", "observe or"},
	} {
		program := Program{Name: "A child", Command: command(test.role, test.fault, test.at), Timeout: 10 * timeout}
		_, err := run(t, test.role, program)
		if err == nil {
			t.Errorf("%s at %s: no error", test.fault, test.at)
			continue
		}
		text := strings.Replace(err.Error(), program.String(), "A child (NAME)", 1)
		must.That(t, strings.Contains(text, test.want) && !strings.Contains(text, test.without),
			"%s at %s: %s\nwant %q without %q", test.fault, test.at, text, test.want, test.without)
	}
}

// TestTraceback checks that the place of an exception is the innermost one outside of libraries in the last traceback.
func TestTraceback(t *testing.T) {
	for _, test := range []struct{ name, text, raised, quote string }{
		{"library", traceback, "mine.py:20, in learn: numpy.linalg.LinAlgError: Singular matrix",
			`File "/usr/lib/python3/dist-packages/numpy/linalg/linalg.py", line 561, in inv | raise LinAlgError("Singular matrix") | numpy.linalg.LinAlgError: Singular matrix`},
		{"syntax", "  File \"/a/mine.py\", line 3\n    def act(self\n           ^\nSyntaxError: '(' was never closed", "mine.py:3: SyntaxError: '(' was never closed",
			`File "/a/mine.py", line 3 | def act(self | SyntaxError: '(' was never closed`},
		{"chain", "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\n" +
			"Traceback (most recent call last):\n  File \"b.py\", line 2, in g\nValueError: two\nlines", "b.py:2, in g: ValueError: two", `File "b.py", line 2, in g | ValueError: two | lines`},
		{"chain that ends in libraries", "  File \"a.py\", line 1, in f\nKeyError: 1\n  File \"<frozen runpy>\", line 2, in g\nImportError", "",
			`KeyError: 1 | File "<frozen runpy>", line 2, in g | ImportError`},
		{"none", "out of luck", "", "out of luck"},
		{"libraries only", "Traceback (most recent call last):\n  File \"<frozen runpy>\", line 2, in g\nImportError", "", `File "<frozen runpy>", line 2, in g | ImportError`},
	} {
		p := &printed{text: []byte(test.text)}
		_, raised := p.exception()
		must.Equal(t, test.name, raised, test.raised)
		must.Equal(t, test.name+": quote", p.quote(), test.quote)
	}
}
