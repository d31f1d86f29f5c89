package larder

import (
	"errors"
	"testing"
	"time"
)

func open(t *testing.T, now *time.Time) *DB {
	t.Helper()
	db, err := Open(t.TempDir(), Options{Now: func() time.Time { return *now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestExpiredKeysAreNotFound(t *testing.T) {
	now := time.Unix(1000, 0)
	db := open(t, &now)
	db.Put("session", []byte("x"), time.Minute)
	if _, _, err := db.Get("session"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(61 * time.Second)
	if _, _, err := db.Get("session"); !errors.Is(err, ErrNotFound) {
		t.Fatalf("expired key was returned: %v", err)
	}
}

func TestCompareAndSwap(t *testing.T) {
	now := time.Unix(1000, 0)
	db := open(t, &now)
	v1, _ := db.Put("k", []byte("a"), 0)
	v2, err := db.CompareAndSwap("k", []byte("b"), 0, v1)
	if err != nil || v2 <= v1 {
		t.Fatalf("swap: %d %v", v2, err)
	}
	if _, err := db.CompareAndSwap("k", []byte("c"), 0, v1); !errors.Is(err, ErrConflict) {
		t.Fatalf("stale version was accepted: %v", err)
	}
}

func TestLargeValuesAreRefused(t *testing.T) {
	now := time.Now()
	if _, err := open(t, &now).Put("k", make([]byte, maxValue+1), 0); !errors.Is(err, ErrTooLarge) {
		t.Fatal(err)
	}
}

func TestDeletedStaysDeletedAfterReopen(t *testing.T) {
	dir := t.TempDir()
	db, _ := Open(dir, Options{Sync: true})
	db.Put("k", []byte("v"), 0)
	db.Delete("k")
	db.Close()
	db, err := Open(dir, Options{Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, _, err := db.Get("k"); !errors.Is(err, ErrNotFound) {
		t.Fatal("tombstone was lost")
	}
}
