package wal

import (
	"os"
	"path/filepath"
	"testing"
)

func reopen(t *testing.T, path string) []Record {
	t.Helper()
	var got []Record
	l, err := Open(path, true, func(r Record) { got = append(got, r) })
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestReplayAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wal")
	l, err := Open(path, true, func(Record) {})
	if err != nil {
		t.Fatal(err)
	}
	for v := uint64(1); v <= 3; v++ {
		if err := <-l.Append(Record{Key: "k", Value: []byte("v"), Version: v}); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	if got := reopen(t, path); len(got) != 3 || got[2].Version != 3 {
		t.Fatalf("got %v", got)
	}
}

func TestTornWriteIsDiscarded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wal")
	l, _ := Open(path, true, func(Record) {})
	<-l.Append(Record{Key: "whole", Version: 1})
	l.Close()
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	f.Write([]byte{40, 0, 0, 0, 1, 2, 3, 4, '{'})
	f.Close()
	if got := reopen(t, path); len(got) != 1 || got[0].Key != "whole" {
		t.Fatalf("got %v", got)
	}
}

func TestTruncateKeepsNewerRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wal")
	l, _ := Open(path, false, func(Record) {})
	for v := uint64(1); v <= 5; v++ {
		<-l.Append(Record{Key: "k", Version: v})
	}
	if err := l.Truncate(3); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if got := reopen(t, path); len(got) != 2 {
		t.Fatalf("kept %d records", len(got))
	}
}
