// Command service chooses arms on HTTP requests and learns from the rewards that clients report: see docs/service.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"banditsim/bandit/agent"
)

func main() {
	file, journal := flag.String("agent", "shop.agent", "agent"), flag.String("log", "shop.jsonl", "log of decisions and rewards")
	addr := flag.String("addr", "127.0.0.1:8080", "address")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *file, *journal, *addr); err != nil {
		log.Fatal(err)
	}
}

// serve answers requests until ctx ends. It then saves the agent, so that the next start has no log entries to replay.
func serve(ctx context.Context, file, journal, addr string) error {
	a, err := agent.Open(file)
	if err != nil {
		return err
	}
	j, found, err := agent.OpenJournal(a, journal, agent.Sync(time.Second))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	log.Printf("http://%s after %d decisions and %d rewards of %s", listener.Addr(), found.Decisions, found.Rewards, journal)
	server, idle := &http.Server{Handler: routes(a, j), ReadTimeout: 10 * time.Second}, make(chan error, 1)
	context.AfterFunc(ctx, func() { idle <- server.Shutdown(context.Background()) })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if err := errors.Join(<-idle, j.Close()); err != nil {
		return err // an agent with decisions that the log lacks could not continue that log
	}
	return a.Save(file)
}

func routes(a *agent.Agent, j *agent.Journal) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /choose", handle(j, func(c agent.Context) (any, error) { return j.Choose(c) }))
	type reward struct {
		ID     uint64
		Reward *float64
	}
	mux.HandleFunc("POST /reward", handle(j, func(e reward) (any, error) {
		if e.Reward == nil {
			return nil, errors.New(`want {"id": N, "reward": R}`)
		}
		return e, j.Learn(e.ID, *e.Reward)
	}))
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		decisions, rewards, pending := a.Counts()
		fmt.Fprintf(w, "decisions_total %d\nrewards_total %d\ndecisions_without_reward %d\n", decisions, rewards, pending)
	})
	return mux
}

// handle decodes a request and calls do, which appends to j. It sends do's result only after j has written to the log.
func handle[T any](j *agent.Journal, do func(T) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask T
		var v any
		err, code := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&ask), http.StatusBadRequest
		if err == nil {
			v, err = do(ask)
		}
		if err == nil {
			err, code = j.Commit(), http.StatusServiceUnavailable
		}
		if err != nil {
			http.Error(w, err.Error(), code)
			return
		}
		json.NewEncoder(w).Encode(v)
	}
}
