// Package replica keeps a second store in step with a first one.
package replica

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"example.test/larder"
)

type row struct {
	Key     string `json:"key"`
	Value   []byte `json:"value"`
	Version uint64 `json:"version"`
	Expires int64  `json:"expires"`
}

// Follow copies the leader again and again until ctx ends. There is no incremental feed yet.
func Follow(ctx context.Context, db *larder.DB, leader string) {
	wait := time.Second
	for ctx.Err() == nil {
		n, err := copyOnce(ctx, db, leader)
		if err != nil {
			slog.Warn("replica: leader unreachable", "leader", leader, "retry_in", wait, "err", err)
			wait = min(wait*2, time.Minute)
		} else {
			slog.Debug("replica: caught up", "rows", n)
			wait = time.Second
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

func copyOnce(ctx context.Context, db *larder.DB, leader string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, leader+"/v1/snapshot", nil)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("replica: leader said %s", resp.Status)
	}
	in := json.NewDecoder(resp.Body)
	rows := 0
	for in.More() {
		var r row
		if err := in.Decode(&r); err != nil {
			return rows, err
		}
		if _, have, err := db.Get(r.Key); err == nil && have >= r.Version {
			continue
		}
		var ttl time.Duration
		if r.Expires != 0 {
			ttl = time.Until(time.UnixMilli(r.Expires))
		}
		if _, err := db.Put(r.Key, r.Value, ttl); err != nil {
			return rows, err
		}
		rows++
	}
	return rows, nil
}
