// Package wal appends records to a file and reads them back after a crash.
package wal

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"log/slog"
	"os"
	"sync"
)

type Record struct {
	Key       string `json:"k"`
	Value     []byte `json:"v,omitempty"`
	Version   uint64 `json:"n"`
	ExpiresAt int64  `json:"x,omitempty"`
	Tombstone bool   `json:"d,omitempty"`
}

type Log struct {
	file *os.File
	sync bool

	mu      sync.Mutex
	pending []byte
	waiters []chan error
	wake    chan struct{}
	stopped chan struct{}
}

var errBadRecord = errors.New("wal: bad record")

const headerSize = 8

// Open replays what is there and leaves the file positioned for appending.
func Open(path string, sync bool, apply func(Record)) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	good, err := replay(file, apply)
	if err != nil {
		return nil, err
	}
	if info, _ := file.Stat(); info.Size() > good {
		slog.Warn("wal: discarding bytes after bad record", "bytes", info.Size()-good, "offset", good)
		if err := file.Truncate(good); err != nil {
			return nil, err
		}
	}
	if _, err := file.Seek(good, io.SeekStart); err != nil {
		return nil, err
	}
	l := &Log{file: file, sync: sync, wake: make(chan struct{}, 1), stopped: make(chan struct{})}
	go l.run()
	return l, nil
}

// Append queues a record. The channel delivers once it is on disk.
func (l *Log) Append(r Record) <-chan error {
	done := make(chan error, 1)
	frame, err := encode(r)
	if err != nil {
		done <- err
		return done
	}
	l.mu.Lock()
	l.pending = append(l.pending, frame...)
	l.waiters = append(l.waiters, done)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return done
}

// run is the only writer. Everything queued while it was busy goes out with one fsync.
func (l *Log) run() {
	defer close(l.stopped)
	for range l.wake {
		l.mu.Lock()
		batch, waiters := l.pending, l.waiters
		l.pending, l.waiters = nil, nil
		l.mu.Unlock()
		_, err := l.file.Write(batch)
		if err == nil && l.sync {
			err = l.file.Sync()
		}
		for _, w := range waiters {
			w <- err
		}
	}
}

// Truncate drops records up to and including version; they are in a table by now.
func (l *Log) Truncate(version uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var keep []byte
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := replay(l.file, func(r Record) {
		if r.Version > version {
			frame, _ := encode(r)
			keep = append(keep, frame...)
		}
	})
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(keep, 0)
	return err
}

func (l *Log) Close() error {
	close(l.wake)
	<-l.stopped
	return l.file.Close()
}

func encode(r Record) ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	frame := make([]byte, headerSize, headerSize+len(body))
	binary.LittleEndian.PutUint32(frame[0:], uint32(len(body)))
	binary.LittleEndian.PutUint32(frame[4:], crc32.ChecksumIEEE(body))
	return append(frame, body...), nil
}

func replay(f *os.File, apply func(Record)) (int64, error) {
	in := bufio.NewReader(f)
	var good int64
	for {
		r, n, err := next(in)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errBadRecord):
			return good, nil
		case err != nil:
			return good, err
		}
		apply(r)
		good += n
	}
}

func next(in io.Reader) (r Record, n int64, err error) {
	var header [headerSize]byte
	if _, err = io.ReadFull(in, header[:]); err != nil {
		return r, 0, err
	}
	body := make([]byte, binary.LittleEndian.Uint32(header[0:]))
	if _, err = io.ReadFull(in, body); err != nil {
		return r, 0, err
	}
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(header[4:]) {
		return r, 0, errBadRecord
	}
	err = json.Unmarshal(body, &r)
	return r, int64(headerSize + len(body)), err
}
