package test.example.parcel.track;

import java.time.Instant;

/** Somebody held a scanner to a label. */
public record ScanEvent(Instant at, Status status, String place, String raw) implements Comparable<ScanEvent> {
    @Override
    public int compareTo(ScanEvent other) {
        int byTime = at.compareTo(other.at);
        return byTime != 0 ? byTime : status.compareTo(other.status);
    }
}
