package compact

import (
	"path/filepath"
	"testing"

	"example.test/larder/internal/memtable"
	"example.test/larder/internal/sstable"
)

func table(t *testing.T, level int, name string, rows map[string]memtable.Entry) *sstable.File {
	t.Helper()
	m := memtable.New()
	for k, e := range rows {
		m.Set(k, e.Value, e.Version, e.ExpiresAt, e.Tombstone)
	}
	f, err := sstable.WriteLevel(filepath.Join(t.TempDir(), name), level, m.Iter())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A tombstone must survive a merge as long as a deeper level may hold the key.
func TestTombstoneSurvivesAboveDeeperLevels(t *testing.T) {
	tombstone := table(t, 0, "a.sst", map[string]memtable.Entry{"k": {Version: 2, Tombstone: true}})
	c := &Compactor{}
	f, err := c.merge([]*sstable.File{tombstone}, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := f.Get("k"); !ok || !e.Tombstone {
		t.Fatal("tombstone was dropped too early")
	}
}

func TestTombstoneIsDroppedAtTheDeepestLevel(t *testing.T) {
	tombstone := table(t, 0, "a.sst", map[string]memtable.Entry{"k": {Version: 2, Tombstone: true}})
	c := &Compactor{}
	f, err := c.merge([]*sstable.File{tombstone}, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.Get("k"); ok {
		t.Fatal("tombstone should be gone")
	}
}

func TestNewestVersionWins(t *testing.T) {
	older := table(t, 0, "a.sst", map[string]memtable.Entry{"k": {Value: []byte("old"), Version: 1}})
	newer := table(t, 0, "b.sst", map[string]memtable.Entry{"k": {Value: []byte("new"), Version: 2}})
	c := &Compactor{}
	f, _ := c.merge([]*sstable.File{older, newer}, 1, true)
	if e, _ := f.Get("k"); string(e.Value) != "new" {
		t.Fatalf("got %q", e.Value)
	}
}
