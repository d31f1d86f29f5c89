package test.example.parcel.track;

import java.util.EnumSet;
import java.util.Set;

/** Eight words for everything that can be said about a parcel. */
public enum Status {
    ANNOUNCED, ACCEPTED, MOVING, AT_DEPOT, OUT_FOR_DELIVERY, DELIVERED, FAILED, RETURNING;

    private static final Set<Status> TERMINAL = EnumSet.of(DELIVERED);

    public boolean isTerminal() {
        return TERMINAL.contains(this);
    }

    /** Parcels move forward only, but for a second attempt and the way back. */
    public boolean mayFollow(Status current) {
        if (current == null) {
            return true;
        }
        if (current.isTerminal()) {
            return false;
        }
        if (this == RETURNING) {
            return true;
        }
        if (current == FAILED) {
            return this == OUT_FOR_DELIVERY || this == AT_DEPOT || this == DELIVERED;
        }
        return current != RETURNING && ordinal() >= current.ordinal();
    }
}
