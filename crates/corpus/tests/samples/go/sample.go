// Package queue holds jobs until a worker takes them.
package queue

import "context"
import (
	"fmt"
	log "log/slog"
	_ "embed"
	. "math"
	`sync`
)

const (
	// MaxJobs is the most jobs held at once.
	MaxJobs          = 64
	minSize, maxSize = 1, 1 << 10
)
const Version string = "1.2"

// ErrFull is returned by Push.
var ErrFull = fmt.Errorf("queue is full")
var (
	defaults    = map[string]Level{"mail": Low}
	first, last *Job // ends of the list
	// clock can be replaced in tests.
	clock = func(c context.Context) (int64, error) { return 0, c.Err() }
)

// banner is shown at the start.
//
//go:embed banner.txt
var banner string

// Level says how urgent a job is.
type Level int
type (
	// Handler runs one job.
	Handler func(ctx context.Context, j *Job) error
	Name    = string
)

// Store keeps jobs.
type Store interface {
	fmt.Stringer
	~int | Level
	// Get finds a job by id.
	Get(id Name) (job *Job, err error)
}

/* Job is one
   unit of work. */
type Job struct {
	sync.Mutex
	*Options
	ID       Name `json:"id"` // unique
	from, to []Level
	retry    struct {
		count int
	}
}
type Stack[T any] struct {
	items []T
}

// Push adds an item.
func (s *Stack[T]) Push(item T) error {
	type local struct{ depth int }
	const inner = 3
	s.items = append(s.items, item)
	return nil
}
func (Level) String() string { return "level" }

func Sum[K comparable, V Number](m map[K]V) (total V)

// run tries everything.
func run(t *testing.T, store Store, hooks ...Handler) (<-chan Result, func(Job) bool) {
	s := &Stack[Job]{items: make([]Job, 0)}
	go func() { log.Info("done", Abs(-1)) }()
	t.Run("empty store", func(t *testing.T) {
		if _, ok := store.(*Memory); ok {
			Sum[Name, Level](defaults)
		}
	})
	switch v := store.(type) {
	case *Disk, Remote:
		_ = slices.Map(v, Pair[Name, *Job]{}, (*Tape)(nil))
	}
	return nil, nil
}
