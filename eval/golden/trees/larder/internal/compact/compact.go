// Package compact merges tables in the background.
package compact

import (
	"fmt"
	"log/slog"
	"path/filepath"

	"example.test/larder/internal/memtable"
	"example.test/larder/internal/sstable"
)

const (
	level0Files = 4
	level1Bytes = 10 << 20
	growth      = 10
)

type Compactor struct {
	levels func() [][]*sstable.File
	swap   func(gone, fresh []*sstable.File)
	poke   chan struct{}
	done   chan struct{}
	cursor [7]int
	serial int
}

func Start(levels func() [][]*sstable.File, swap func(gone, fresh []*sstable.File)) *Compactor {
	c := &Compactor{levels: levels, swap: swap, poke: make(chan struct{}, 1), done: make(chan struct{})}
	go c.loop()
	return c
}

func (c *Compactor) Poke() {
	select {
	case c.poke <- struct{}{}:
	default:
	}
}

func (c *Compactor) Stop() {
	close(c.poke)
	<-c.done
}

func (c *Compactor) loop() {
	defer close(c.done)
	for range c.poke {
		for c.once() {
		}
	}
}

// once does the most urgent piece of work, if there is one.
func (c *Compactor) once() bool {
	levels := c.levels()
	for n := 0; n+1 < len(levels); n++ {
		if !overBudget(n, levels[n]) {
			continue
		}
		inputs := c.choose(n, levels[n])
		for _, below := range levels[n+1] {
			if overlapsAny(below, inputs) {
				inputs = append(inputs, below)
			}
		}
		fresh, err := c.merge(inputs, n+1, isDeepest(levels, n+1))
		if err != nil {
			slog.Error("compaction failed, will retry on next flush", "level", n, "err", err)
			return false
		}
		c.swap(inputs, []*sstable.File{fresh})
		return true
	}
	return false
}

func overBudget(level int, files []*sstable.File) bool {
	if level == 0 {
		return len(files) >= level0Files
	}
	budget := int64(level1Bytes)
	for i := 1; i < level; i++ {
		budget *= growth
	}
	var size int64
	for _, f := range files {
		size += f.Size
	}
	return size > budget
}

// choose takes all of level 0, because its files overlap, and one file of any other level in turn.
func (c *Compactor) choose(level int, files []*sstable.File) []*sstable.File {
	if level == 0 {
		return append([]*sstable.File(nil), files...)
	}
	c.cursor[level]++
	return []*sstable.File{files[c.cursor[level]%len(files)]}
}

func (c *Compactor) merge(inputs []*sstable.File, into int, deepest bool) (*sstable.File, error) {
	var sources []memtable.Iterator
	for i := len(inputs) - 1; i >= 0; i-- {
		sources = append(sources, inputs[i].Iter())
	}
	merged := memtable.Merge(sources...)
	if deepest {
		merged = &withoutTombstones{merged}
	}
	c.serial++
	dir := filepath.Dir(inputs[0].Path)
	return sstable.WriteLevel(filepath.Join(dir, fmt.Sprintf("c%011d.sst", c.serial)), into, merged)
}

// isDeepest says whether nothing lies below. Only then may a delete be forgotten for good.
func isDeepest(levels [][]*sstable.File, level int) bool {
	for _, files := range levels[level+1:] {
		if len(files) > 0 {
			return false
		}
	}
	return true
}

func overlapsAny(f *sstable.File, others []*sstable.File) bool {
	for _, other := range others {
		if f.Overlaps(other) {
			return true
		}
	}
	return false
}

type withoutTombstones struct{ memtable.Iterator }

func (w *withoutTombstones) Seek(key string) {
	w.Iterator.Seek(key)
	w.skip()
}

func (w *withoutTombstones) Next() {
	w.Iterator.Next()
	w.skip()
}

func (w *withoutTombstones) skip() {
	for w.Iterator.Valid() && w.Iterator.Entry().Tombstone {
		w.Iterator.Next()
	}
}
