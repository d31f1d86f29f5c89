package larder

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.test/larder/internal/memtable"
	"example.test/larder/internal/sstable"
)

// loadFiles opens every table in the directory. Half-written ones end in .tmp and are removed.
func (db *DB) loadFiles() error {
	entries, err := os.ReadDir(db.dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(db.dir, entry.Name())
		switch {
		case strings.HasSuffix(entry.Name(), ".tmp"):
			if err := os.Remove(path); err != nil {
				return err
			}
		case strings.HasSuffix(entry.Name(), ".sst"):
			f, err := sstable.Open(path)
			if err != nil {
				return err
			}
			db.levels[f.Level] = append(db.levels[f.Level], f)
			db.version = max(db.version, f.MaxVersion)
		}
	}
	return nil
}

func (db *DB) pickLevels() [][]*sstable.File {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return slices.Clone(db.levels)
}

func (db *DB) swapFiles(gone, fresh []*sstable.File) {
	db.mu.Lock()
	for i := range db.levels {
		db.levels[i] = slices.DeleteFunc(db.levels[i], func(f *sstable.File) bool {
			return slices.Contains(gone, f)
		})
	}
	for _, f := range fresh {
		db.levels[f.Level] = append(db.levels[f.Level], f)
	}
	db.mu.Unlock()
	db.flushed.Broadcast()
	for _, f := range gone {
		_ = f.Remove()
	}
}

// Scan calls fn in key order for live entries in [from, to) until it returns false.
func (db *DB) Scan(from, to string, fn func(key string, e memtable.Entry) bool) {
	db.mu.RLock()
	sources := []memtable.Iterator{db.mem.Iter()}
	if db.frozen != nil {
		sources = append(sources, db.frozen.Iter())
	}
	for _, level := range db.levels {
		for i := len(level) - 1; i >= 0; i-- {
			sources = append(sources, level[i].Iter())
		}
	}
	db.mu.RUnlock()

	now := db.opts.Now()
	merged := memtable.Merge(sources...)
	for merged.Seek(from); merged.Valid() && (to == "" || merged.Key() < to); merged.Next() {
		e := merged.Entry()
		if e.Tombstone || e.Expired(now) {
			continue
		}
		if !fn(merged.Key(), e) {
			return
		}
	}
}

// ScanAll visits everything, dead entries too.
func (db *DB) ScanAll(fn func(key string, e memtable.Entry) bool) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	merged := memtable.Merge(db.mem.Iter())
	for merged.Seek(""); merged.Valid(); merged.Next() {
		if !fn(merged.Key(), merged.Entry()) {
			return
		}
	}
}
