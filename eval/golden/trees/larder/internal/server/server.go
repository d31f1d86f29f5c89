// Package server is the HTTP face.
package server

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.test/larder"
	"example.test/larder/internal/memtable"
)

const maxBody = 1<<20 + 1

type handler struct {
	db       *larder.DB
	follower bool
}

func New(db *larder.DB, follower bool) http.Handler {
	h := &handler{db, follower}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/keys/{key}", h.get)
	mux.HandleFunc("PUT /v1/keys/{key}", h.leaderOnly(h.put))
	mux.HandleFunc("DELETE /v1/keys/{key}", h.leaderOnly(h.delete))
	mux.HandleFunc("GET /v1/scan", h.scan)
	mux.HandleFunc("GET /v1/snapshot", h.snapshot)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	return mux
}

// leaderOnly turns writes away on a follower, so that the copies cannot drift apart.
func (h *handler) leaderOnly(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if h.follower {
			http.Error(w, "this instance follows another; write to the leader", http.StatusMisdirectedRequest)
			return
		}
		next(w, r)
	}
}

func (h *handler) get(w http.ResponseWriter, r *http.Request) {
	value, version, err := h.db.Get(r.PathValue("key"))
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("ETag", strconv.FormatUint(version, 10))
	w.Write(value)
}

func (h *handler) put(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		fail(w, err)
		return
	}
	var ttl time.Duration
	if text := r.URL.Query().Get("ttl"); text != "" {
		if ttl, err = time.ParseDuration(text); err != nil || ttl < 0 {
			http.Error(w, "ttl must be a positive duration such as 90s", http.StatusBadRequest)
			return
		}
	}
	var version uint64
	if match := r.Header.Get("If-Match"); match != "" {
		expect, perr := strconv.ParseUint(strings.Trim(match, `"`), 10, 64)
		if perr != nil {
			http.Error(w, "If-Match must be a version", http.StatusBadRequest)
			return
		}
		version, err = h.db.CompareAndSwap(r.PathValue("key"), body, ttl, expect)
	} else {
		version, err = h.db.Put(r.PathValue("key"), body, ttl)
	}
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("ETag", strconv.FormatUint(version, 10))
	w.WriteHeader(http.StatusNoContent)
}

func (h *handler) delete(w http.ResponseWriter, r *http.Request) {
	if err := h.db.Delete(r.PathValue("key")); err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (h *handler) scan(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil || limit <= 0 || limit > 10_000 {
		limit = 1000
	}
	out := json.NewEncoder(w)
	h.db.Scan(q.Get("from"), q.Get("to"), func(key string, e memtable.Entry) bool {
		out.Encode(map[string]any{"key": key, "value": e.Value, "version": e.Version})
		limit--
		return limit > 0
	})
}

func (h *handler) snapshot(w http.ResponseWriter, r *http.Request) {
	out := json.NewEncoder(w)
	h.db.Scan("", "", func(key string, e memtable.Entry) bool {
		return out.Encode(map[string]any{"key": key, "value": e.Value, "version": e.Version, "expires": e.ExpiresAt}) == nil
	})
}

func fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, larder.ErrNotFound):
		status = http.StatusNotFound
	case errors.Is(err, larder.ErrConflict):
		status = http.StatusPreconditionFailed
	case errors.Is(err, larder.ErrTooLarge):
		status = http.StatusRequestEntityTooLarge
	case errors.Is(err, larder.ErrReadOnly), errors.Is(err, larder.ErrClosed):
		status = http.StatusServiceUnavailable
	}
	http.Error(w, err.Error(), status)
}
