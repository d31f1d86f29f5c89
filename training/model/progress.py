"""What a run says: each line with the seconds since it began, on the terminal and in its log."""

import time

STARTED = time.time()
LOG = None


def begin(path):
    global LOG
    LOG = path.open("w")


def now():
    """Seconds since the run began."""
    return time.time() - STARTED


def say(*words):
    line = f"[{now():6.0f}s] " + " ".join(str(w) for w in words)
    print(line, flush=True)
    LOG.write(line + "\n")
    LOG.flush()
