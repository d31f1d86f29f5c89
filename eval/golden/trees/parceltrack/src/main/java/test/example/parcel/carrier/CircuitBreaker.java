package test.example.parcel.carrier;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Stops asking somebody who does not answer. */
final class CircuitBreaker {
    private static final int THRESHOLD = 5;
    private static final Duration OPEN_FOR = Duration.ofMinutes(2);

    private final Clock clock;
    private int failures;
    private Instant openedAt;
    private boolean probing;

    CircuitBreaker(Clock clock) {
        this.clock = clock;
    }

    synchronized boolean allows() {
        if (openedAt == null) {
            return true;
        }
        if (!probing && clock.instant().isAfter(openedAt.plus(OPEN_FOR))) {
            probing = true;
            return true;
        }
        return false;
    }

    synchronized void succeeded() {
        failures = 0;
        openedAt = null;
        probing = false;
    }

    synchronized void failed() {
        failures++;
        if (probing || failures >= THRESHOLD) {
            openedAt = clock.instant();
            probing = false;
        }
    }
}
