// Package expiry deletes keys whose time is over.
package expiry

import (
	"log/slog"
	"time"

	"example.test/larder/internal/memtable"
)

// Store is the part of the database that sweeping needs.
type Store interface {
	ScanAll(fn func(key string, e memtable.Entry) bool)
	Delete(key string) error
}

type Sweeper struct {
	stop chan struct{}
	done chan struct{}
}

// mostPerRound bounds how long one round competes with real writers.
const mostPerRound = 1000

func Start(store Store, now func() time.Time, every time.Duration) *Sweeper {
	s := &Sweeper{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-s.stop:
				return
			case <-tick.C:
				Sweep(store, now())
			}
		}
	}()
	return s
}

// Sweep removes at most mostPerRound keys. Reads hide expired keys anyway; this frees the space.
func Sweep(store Store, now time.Time) int {
	var over []string
	store.ScanAll(func(key string, e memtable.Entry) bool {
		if !e.Tombstone && e.Expired(now) {
			over = append(over, key)
		}
		return len(over) < mostPerRound
	})
	for _, key := range over {
		if err := store.Delete(key); err != nil {
			slog.Warn("expiry: cannot delete", "key", key, "err", err)
			return 0
		}
	}
	return len(over)
}

func (s *Sweeper) Stop() {
	close(s.stop)
	<-s.done
}
