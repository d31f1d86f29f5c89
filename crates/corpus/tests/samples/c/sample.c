/* A ring of log lines that forgets the oldest. */

#ifndef RING_LOG_H
#define RING_LOG_H

#include <stddef.h>
#include "ring/level.h"
#include RING_CONFIG
#endif

#define RING_TRACE
/* Lines kept when the caller does not say. */
#define RING_DEFAULT_LINES 64
#define RING_API __attribute__((visibility("default")))
/* Rounds up to a power of two. */
#define RING_ROUND(n) \
  ring_next_power((n) - 1)

/* How a line is weighed. */
typedef enum {
  RING_QUIET,
  /* Shown unless asked otherwise. */
  RING_LOUD = 10
} ring_weight;

enum ring_state { RING_OPEN, RING_SHUT };

/** One line with its weight. */
struct ring_line {
  const char *text; /* not owned */
  unsigned weight : 4, spare : 4;
  struct ring_line *next, **slot;
  union {
    long seconds;
    double exact;
  } when;
  int (*print)(const struct ring_line *line,
               void *out);
};

typedef struct ring {
  struct ring_line lines[RING_DEFAULT_LINES];
  size_t used;
} ring_t, *ring_ptr;

typedef struct { int low, high; } ring_span;
typedef int (*ring_filter)(const ring_t *ring, ring_weight weight);
typedef unsigned long ring_stamp;
struct ring_sink;
struct ring_view {
  RING_FIELDS
  ring_filter shown;
};

extern int ring_errors;
static const char *const ring_names[] = { "quiet", "loud" };
static const size_t ring_limit = 4096, ring_floor = 8;
static struct { ring_t *head; } registry;
static ring_filter (*pick_filter)(int);

/* Opens a ring.
 * The caller closes it. */
RING_API ring_t *ring_open(size_t lines,
                           ring_filter filter);
RING_API const char *ring_name(ring_weight weight);

#ifdef RING_THREADS
static int ring_lock_depth = 0;
#else
int ring_locked;
#endif

/* Writes one line; the oldest gives way. */
__attribute__((unused))
static int ring_put(ring_t *ring, struct ring_line line) {
  static int calls;
  enum ring_state state = RING_OPEN;
  ring_span span = { .low = 0, .high = (int)sizeof(struct ring) };
  if (pick_filter(calls)(ring, RING_LOUD) && line.print(&line, registry.head))
    ring->lines[ring->used++] = line;
  return (*ring_check)(state, (ring_stamp)span.low);
}

/* Returns the function that was there before. */
void (*ring_on_full(void (*handler)(int)))(int) { return handler; }

int ring_old(ring, n) ring_t *ring; int n; { return n + (int)ring->used; }

TEST_RING(wraps_around) { return ring_put(0, (struct ring_line){0}); }
