package main

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.test/larder"
	"example.test/larder/internal/replica"
	"example.test/larder/internal/server"
)

func main() {
	var (
		dir    = flag.String("dir", "./data", "where to keep files")
		listen = flag.String("listen", ":7070", "address to listen on")
		sync   = flag.Bool("sync", true, "fsync before acknowledging")
		follow = flag.String("follow", "", "URL of a leader to copy from")
	)
	flag.Parse()
	if err := run(*dir, *listen, *sync, *follow); err != nil {
		slog.Error("larderd failed", "err", err)
		os.Exit(1)
	}
}

func run(dir, listen string, sync bool, follow string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()

	db, err := larder.Open(dir, larder.Options{Sync: sync})
	if err != nil {
		return err
	}
	defer db.Close()

	if follow != "" {
		go replica.Follow(ctx, db, follow)
	}

	srv := &http.Server{
		Addr:              listen,
		Handler:           server.New(db, follow != ""),
		ReadHeaderTimeout: 5 * time.Second,
	}
	go func() {
		<-ctx.Done()
		deadline, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = srv.Shutdown(deadline)
	}()
	slog.Info("listening", "addr", listen, "dir", dir, "follower", follow != "")
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
