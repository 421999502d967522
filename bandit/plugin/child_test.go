package plugin

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain runs the test binary as a child process if its first argument says so: 'child ROLE FAULT MESSAGE'.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		play(os.Args[2], os.Args[3], os.Args[4])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command returns the command of a child with a fault at a message: "act", or "act 3" for the third of its kind.
func command(role, fault, at string) []string { return []string{os.Args[0], "child", role, fault, at} }

// play acts as a child that works, apart from its fault.
func play(role, fault, at string) {
	in, seen := bufio.NewReader(os.Stdin), map[string]int{}
	total := 0.0 // its state
	var dim, arms int
	note := func(string, string) {}
	if fault == "record" { // log all messages to the file named by at
		f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			os.Exit(9)
		}
		note = func(way, line string) { fmt.Fprintln(f, way, line) }
	}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		note("→", strings.TrimSuffix(string(line), "\n"))
		var m struct {
			ID       int
			Type     string
			Dim      int
			Names    []string
			Outputs  int
			Rewards  []float64
			Contexts [][]float64
			State    []byte
			N        int
		}
		if err := json.Unmarshal(line, &m); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(9)
		}
		seen[m.Type]++
		id := fmt.Sprintf(`{"id":%d`, m.ID)
		answer := ""
		n := len(m.Contexts)
		switch m.Type {
		case "hello":
			dim, arms = m.Dim, m.Outputs
			if role == RolePolicy {
				arms = len(m.Names)
			}
			answer = id + `,"type":"ready","protocol":1,"role":"` + role + `"`
			switch role {
			case RolePolicy:
				answer += `,"batch":true,"save":true,"values":true,"end":true}`
			case RolePosterior:
				answer += `,"save":true,"draw":true,"spread":true}`
			case RoleEnvironment:
				dim, arms = 2, 3
				answer += `,"dim":2,"names":["a","b","c"],"pulls":12,"save":true}`
			}
		case "act":
			answer = id + `,"arms":` + list(n, func(i int) string { return strconv.Itoa((int(total) + i) % arms) }) +
				`,"values":` + list(n, func(int) string { return list(arms, func(int) string { return "0.5" }) }) + "}"
		case "learn", "observe":
			for _, r := range m.Rewards {
				total += r
			}
		case "update", "end":
			answer = id + "}"
		case "predict":
			answer = id + `,"values":` + list(n, func(int) string { return list(arms, func(a int) string { return fmt.Sprint(total + float64(a)) }) }) + "}"
		case "next":
			row := func(k int) func(int) string {
				return func(int) string { return list(k, func(a int) string { return strconv.Itoa(a) }) }
			}
			total++
			answer = id + `,"contexts":` + list(m.N, row(dim)) + `,"means":` + list(m.N, row(arms)) + `,"rewards":` + list(m.N, row(arms)) + "}"
		case "save":
			b, _ := json.Marshal([]byte(fmt.Sprint(total)))
			answer = id + `,"state":` + string(b) + "}"
		case "restore":
			total, _ = strconv.ParseFloat(string(m.State), 64)
			answer = id + "}"
		}
		if at == m.Type || at == fmt.Sprintf("%s %d", m.Type, seen[m.Type]) {
			answer = misbehave(fault, answer, m.ID)
		}
		if m.Type == "bye" {
			return
		}
		if answer != "" {
			note("←", answer)
			fmt.Println(answer)
		}
	}
}

func list(n int, f func(i int) string) string {
	var parts []string
	for i := range n {
		parts = append(parts, f(i))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// misbehave acts out the fault, and returns the line to answer if it gets that far.
func misbehave(fault, answer string, id int) string {
	switch fault {
	case "exit":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
	case "killed":
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		time.Sleep(time.Minute)
	case "half a line":
		fmt.Print(answer[:len(answer)/2])
		os.Exit(0)
	case "long line":
		chunk := []byte(strings.Repeat("x", 1<<20))
		for range 1 << 10 { // 1 GB
			if _, err := os.Stdout.Write(chunk); err != nil {
				os.Exit(1)
			}
		}
	case "sleep":
		time.Sleep(time.Minute)
	case "half and sleep":
		fmt.Print(answer[:len(answer)/2])
		time.Sleep(time.Minute)
	case "leaves a child":
		leave(false)
		os.Exit(4)
	case "leaves a child and sleeps":
		leave(false)
		time.Sleep(time.Minute)
	case "leaves a session":
		leave(true)
		os.Exit(4)
	case "closes stdout":
		os.Stdout.Close()
		time.Sleep(time.Minute)
	case "banner":
		fmt.Println("Welcome to the best policy ever")
	case "banner without an end":
		fmt.Print("Welcome to the best policy ever: ")
	case "twice":
		fmt.Println(answer)
	case "floods":
		for {
			if _, err := fmt.Println(answer); err != nil {
				os.Exit(1)
			}
		}
	case "floods stderr":
		for range 1 << 9 {
			fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 200))
		}
		os.Exit(5)
	case "bytes":
		return "\xff\xfe\x00\x01"
	case "not closed":
		return answer[:len(answer)-1]
	case "array":
		return "[" + answer + "]"
	case "empty line":
		return "\n" + answer
	case "raises":
		fmt.Fprintln(os.Stderr, traceback)
		return fmt.Sprintf(`{"id":%d,"error":"LinAlgError: Singular matrix"}`, id)
	case "raises and exits":
		fmt.Fprintln(os.Stderr, traceback)
		os.Exit(1)
	case "raises and exits otherwise":
		fmt.Fprintln(os.Stderr, traceback)
		os.Exit(3)
	}
	if to, ok := numbersOf[fault]; ok {
		return replaceFirstNumber(answer, to)
	}
	if of, ok := changes[fault]; ok {
		return strings.Replace(answer, of[0], of[1], 1)
	}
	if fields, ok := answers[fault]; ok {
		return fmt.Sprintf(`{"id":%d%s}`, id, fields)
	}
	return answer
}

var (
	// numbersOf has the faults that replace the first number of an answer, with the replacement.
	numbersOf = map[string]string{"NaN": "NaN", "null": "null", "text": `"1"`, "far": "99", "negative": "-1", "huge": "1e999", "fewer": "", "more": "0,0"}
	// changes has the faults that replace another part of an answer.
	changes = map[string][2]string{
		"other id":      {`"id":`, `"id":1`},
		"no id":         {`"id":`, `"Id2":`},
		"forty pulls":   {`"pulls":12`, `"pulls":40`},
		"no end":        {`"end":true`, `"end":false`},
		"version":       {`"protocol":1`, `"protocol":7`},
		"unknown field": {`"save"`, `"sava"`},
	}
	// answers has the faults that answer with an id and these fields.
	answers = map[string]string{
		"no answer": "",
		"error":     `,"error":"I give up"`,
		"frame":     `,"frame":8000000000`,
		"odd frame": `,"frame":12`,
		"role":      `,"type":"ready","protocol":1,"role":"clown"`,
	}
)

// replaceFirstNumber replaces the first number in the first list of answer.
func replaceFirstNumber(answer, number string) string {
	from := strings.LastIndexByte(answer[:strings.IndexAny(answer, "]")], '[') + 1
	to := from + strings.IndexAny(answer[from:], ",]")
	if number == "" && answer[to] == ',' {
		to++
	}
	return answer[:from] + number + answer[to:]
}

// leave starts a process that outlives the child and holds its pipes open.
func leave(session bool) {
	words := []string{"sleep", "47"}
	if session {
		words = append([]string{"setsid"}, words...)
	}
	c := exec.Command(words[0], words[1:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	c.Start()
	time.Sleep(50 * time.Millisecond)
}
