package memtable

import (
	"container/heap"
	"sort"
)

type Iterator interface {
	Seek(key string)
	Valid() bool
	Next()
	Key() string
	Entry() Entry
}

type tableIter struct {
	keys  []string
	table *Table
	at    int
}

func (t *Table) Iter() Iterator {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return &tableIter{keys: append([]string(nil), t.keys...), table: t}
}

func (it *tableIter) Seek(key string) { it.at = sort.SearchStrings(it.keys, key) }
func (it *tableIter) Valid() bool     { return it.at < len(it.keys) }
func (it *tableIter) Next()           { it.at++ }
func (it *tableIter) Key() string     { return it.keys[it.at] }
func (it *tableIter) Entry() Entry {
	e, _ := it.table.Get(it.keys[it.at])
	return e
}

// Merge walks several sources as one. For equal keys the earlier source wins, so pass newest first.
func Merge(sources ...Iterator) Iterator {
	return &mergeIter{sources: sources}
}

type mergeIter struct {
	sources []Iterator
	queue   sourceHeap
}

type ranked struct {
	Iterator
	rank int
}

type sourceHeap []ranked

func (h sourceHeap) Len() int      { return len(h) }
func (h sourceHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h sourceHeap) Less(i, j int) bool {
	if h[i].Key() != h[j].Key() {
		return h[i].Key() < h[j].Key()
	}
	return h[i].rank < h[j].rank
}
func (h *sourceHeap) Push(x any) { *h = append(*h, x.(ranked)) }
func (h *sourceHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

func (m *mergeIter) Seek(key string) {
	m.queue = m.queue[:0]
	for rank, s := range m.sources {
		if s.Seek(key); s.Valid() {
			m.queue = append(m.queue, ranked{s, rank})
		}
	}
	heap.Init(&m.queue)
}

func (m *mergeIter) Valid() bool  { return len(m.queue) > 0 }
func (m *mergeIter) Key() string  { return m.queue[0].Key() }
func (m *mergeIter) Entry() Entry { return m.queue[0].Entry() }

// Next skips shadowed duplicates of the current key.
func (m *mergeIter) Next() {
	key := m.Key()
	for m.Valid() && m.Key() == key {
		if m.queue[0].Next(); m.queue[0].Valid() {
			heap.Fix(&m.queue, 0)
		} else {
			heap.Pop(&m.queue)
		}
	}
}
