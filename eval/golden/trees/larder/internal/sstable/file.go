// Package sstable reads and writes immutable sorted files.
package sstable

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"sort"

	"example.test/larder/internal/memtable"
)

const magic = "LARDER-SST-2"

var ErrFormat = errors.New("sstable: unknown file format")

type File struct {
	Path       string
	Level      int
	MaxVersion uint64
	Size       int64

	keys    []string
	entries []memtable.Entry
	filter  *bloom
}

type footer struct {
	Magic      string
	Level      int
	MaxVersion uint64
	Keys       []string
	Entries    []memtable.Entry
}

// Write stores everything the iterator yields, under a temporary name until it is complete.
func Write(path string, it memtable.Iterator) (*File, error) {
	return WriteLevel(path, 0, it)
}

func WriteLevel(path string, level int, it memtable.Iterator) (*File, error) {
	out := footer{Magic: magic, Level: level}
	for it.Seek(""); it.Valid(); it.Next() {
		e := it.Entry()
		out.Keys = append(out.Keys, it.Key())
		out.Entries = append(out.Entries, e)
		out.MaxVersion = max(out.MaxVersion, e.Version)
	}
	tmp, err := os.Create(path + ".tmp")
	if err != nil {
		return nil, err
	}
	defer tmp.Close()
	buffered := bufio.NewWriter(tmp)
	if err := gob.NewEncoder(buffered).Encode(out); err != nil {
		return nil, err
	}
	if err := buffered.Flush(); err != nil {
		return nil, err
	}
	if err := tmp.Sync(); err != nil {
		return nil, err
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return nil, err
	}
	return fromFooter(path, out)
}

func Open(path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var f footer
	if err := gob.NewDecoder(bufio.NewReader(in)).Decode(&f); err != nil {
		return nil, fmt.Errorf("sstable: %s is damaged: %w", path, err)
	}
	if f.Magic != magic {
		return nil, fmt.Errorf("%w: %s begins with %q", ErrFormat, path, f.Magic)
	}
	return fromFooter(path, f)
}

func fromFooter(path string, f footer) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	filter := newBloom(len(f.Keys))
	for _, k := range f.Keys {
		filter.add(k)
	}
	return &File{
		Path: path, Level: f.Level, MaxVersion: f.MaxVersion, Size: info.Size(),
		keys: f.Keys, entries: f.Entries, filter: filter,
	}, nil
}

func (f *File) MayContain(key string) bool {
	return len(f.keys) > 0 && key >= f.keys[0] && key <= f.keys[len(f.keys)-1] && f.filter.mayContain(key)
}

func (f *File) Get(key string) (memtable.Entry, bool) {
	i := sort.SearchStrings(f.keys, key)
	if i == len(f.keys) || f.keys[i] != key {
		return memtable.Entry{}, false
	}
	return f.entries[i], true
}

func (f *File) Overlaps(other *File) bool {
	return f.keys[0] <= other.keys[len(other.keys)-1] && other.keys[0] <= f.keys[len(f.keys)-1]
}

func (f *File) Remove() error { return os.Remove(f.Path) }

type fileIter struct {
	f  *File
	at int
}

func (f *File) Iter() memtable.Iterator     { return &fileIter{f: f} }
func (it *fileIter) Seek(key string)        { it.at = sort.SearchStrings(it.f.keys, key) }
func (it *fileIter) Valid() bool            { return it.at < len(it.f.keys) }
func (it *fileIter) Next()                  { it.at++ }
func (it *fileIter) Key() string            { return it.f.keys[it.at] }
func (it *fileIter) Entry() memtable.Entry  { return it.f.entries[it.at] }
