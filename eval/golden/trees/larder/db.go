// Package larder is an ordered key-value store with expiry.
package larder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"example.test/larder/internal/compact"
	"example.test/larder/internal/expiry"
	"example.test/larder/internal/memtable"
	"example.test/larder/internal/sstable"
	"example.test/larder/internal/wal"
)

var (
	ErrNotFound = errors.New("larder: key not found")
	ErrConflict = errors.New("larder: version does not match")
	ErrTooLarge = errors.New("larder: value exceeds 1 MiB")
	ErrReadOnly = errors.New("larder: store is read-only after a failed write")
	ErrClosed   = errors.New("larder: store is closed")
)

const (
	maxValue       = 1 << 20
	memtableBudget = 4 << 20
	slowdownFiles  = 12
	stopFiles      = 20
)

type Options struct {
	Sync bool
	Now  func() time.Time
}

// DB is safe for concurrent use.
type DB struct {
	opts Options
	dir  string

	mu      sync.RWMutex
	mem     *memtable.Table
	frozen  *memtable.Table
	levels  [][]*sstable.File
	log     *wal.Log
	version uint64
	failed  error
	closed  bool

	sweeper   *expiry.Sweeper
	compactor *compact.Compactor
	flushed   *sync.Cond
}

// Open replays the log and starts the background goroutines.
func Open(dir string, opts Options) (*DB, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	db := &DB{opts: opts, dir: dir, mem: memtable.New(), levels: make([][]*sstable.File, 7)}
	db.flushed = sync.NewCond(&db.mu)
	if err := db.loadFiles(); err != nil {
		return nil, fmt.Errorf("larder: load files: %w", err)
	}
	log, err := wal.Open(filepath.Join(dir, "wal"), opts.Sync, func(r wal.Record) {
		db.mem.Set(r.Key, r.Value, r.Version, r.ExpiresAt, r.Tombstone)
		db.version = max(db.version, r.Version)
	})
	if err != nil {
		return nil, err
	}
	db.log = log
	db.sweeper = expiry.Start(db, opts.Now, time.Minute)
	db.compactor = compact.Start(db.pickLevels, db.swapFiles)
	return db, nil
}

// Get returns the newest live value and its version.
func (db *DB) Get(key string) ([]byte, uint64, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	e, ok := db.lookup(key)
	if !ok || e.Tombstone || e.Expired(db.opts.Now()) {
		return nil, 0, ErrNotFound
	}
	return e.Value, e.Version, nil
}

func (db *DB) lookup(key string) (memtable.Entry, bool) {
	for _, t := range []*memtable.Table{db.mem, db.frozen} {
		if t == nil {
			continue
		}
		if e, ok := t.Get(key); ok {
			return e, true
		}
	}
	for _, level := range db.levels {
		for i := len(level) - 1; i >= 0; i-- {
			if !level[i].MayContain(key) {
				continue
			}
			if e, ok := level[i].Get(key); ok {
				return e, true
			}
		}
	}
	return memtable.Entry{}, false
}

// Put stores a value. A ttl of zero means forever.
func (db *DB) Put(key string, value []byte, ttl time.Duration) (uint64, error) {
	return db.write(key, value, ttl, nil, false)
}

// CompareAndSwap is Put on condition that the key is still at version.
func (db *DB) CompareAndSwap(key string, value []byte, ttl time.Duration, version uint64) (uint64, error) {
	return db.write(key, value, ttl, &version, false)
}

// Delete leaves a tombstone even if the key does not exist: an older file may hold it.
func (db *DB) Delete(key string) error {
	_, err := db.write(key, nil, 0, nil, true)
	return err
}

func (db *DB) write(key string, value []byte, ttl time.Duration, expect *uint64, tombstone bool) (uint64, error) {
	if len(value) > maxValue {
		return 0, ErrTooLarge
	}
	db.mu.Lock()
	if err := db.writable(); err != nil {
		db.mu.Unlock()
		return 0, err
	}
	if expect != nil {
		e, ok := db.lookup(key)
		if !ok || e.Version != *expect {
			db.mu.Unlock()
			return 0, ErrConflict
		}
	}
	db.throttleLocked()
	db.version++
	r := wal.Record{Key: key, Value: value, Version: db.version, Tombstone: tombstone}
	if ttl > 0 {
		r.ExpiresAt = db.opts.Now().Add(ttl).UnixMilli()
	}
	done := db.log.Append(r)
	db.mem.Set(r.Key, r.Value, r.Version, r.ExpiresAt, r.Tombstone)
	if db.mem.Size() > memtableBudget && db.frozen == nil {
		db.rotateLocked()
	}
	db.mu.Unlock()

	// Waiting happens outside of the lock so that writers can share an fsync.
	if err := <-done; err != nil {
		db.fail(err)
		return 0, ErrReadOnly
	}
	return r.Version, nil
}

func (db *DB) writable() error {
	switch {
	case db.closed:
		return ErrClosed
	case db.failed != nil:
		return ErrReadOnly
	}
	return nil
}

// throttleLocked makes writers wait for compaction when level 0 piles up.
func (db *DB) throttleLocked() {
	for len(db.levels[0]) >= stopFiles {
		db.flushed.Wait()
	}
	if len(db.levels[0]) >= slowdownFiles {
		db.mu.Unlock()
		time.Sleep(time.Millisecond)
		db.mu.Lock()
	}
}

func (db *DB) rotateLocked() {
	db.frozen, db.mem = db.mem, memtable.New()
	go db.flush(db.frozen)
}

func (db *DB) flush(t *memtable.Table) {
	name := filepath.Join(db.dir, fmt.Sprintf("%012d.sst", t.MaxVersion()))
	f, err := sstable.Write(name, t.Iter())
	if err != nil {
		db.fail(err)
		return
	}
	db.mu.Lock()
	db.levels[0] = append(db.levels[0], f)
	db.frozen = nil
	db.mu.Unlock()
	db.log.Truncate(t.MaxVersion())
	db.flushed.Broadcast()
	db.compactor.Poke()
}

func (db *DB) fail(err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.failed == nil {
		db.failed = err
	}
}

// Close waits for background work.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil
	}
	db.closed = true
	db.mu.Unlock()
	db.sweeper.Stop()
	db.compactor.Stop()
	return db.log.Close()
}
