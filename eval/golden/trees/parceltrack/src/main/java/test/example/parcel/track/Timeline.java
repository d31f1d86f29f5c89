package test.example.parcel.track;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** What happened to one parcel, without contradictions. */
public class Timeline {
    private final String trackingNumber;
    private final String carrier;
    private final TreeSet<ScanEvent> all = new TreeSet<>();
    private List<ScanEvent> shown = List.of();

    public Timeline(String trackingNumber, String carrier) {
        this.trackingNumber = trackingNumber;
        this.carrier = carrier;
    }

    /**
     * Adds what is new and works out again what to show.
     *
     * @return the events that became visible by this
     */
    public synchronized List<ScanEvent> merge(List<ScanEvent> reported) {
        if (!all.addAll(reported)) {
            return List.of();
        }
        List<ScanEvent> before = shown;
        List<ScanEvent> plausible = new ArrayList<>();
        Status current = null;
        for (ScanEvent event : all) {
            if (event.status().mayFollow(current)) {
                plausible.add(event);
                current = event.status();
            }
        }
        shown = Collections.unmodifiableList(plausible);
        List<ScanEvent> fresh = new ArrayList<>(plausible);
        fresh.removeAll(before);
        return fresh;
    }

    public synchronized Status status() {
        return shown.isEmpty() ? Status.ANNOUNCED : shown.get(shown.size() - 1).status();
    }

    public synchronized List<ScanEvent> events() {
        return shown;
    }

    public String trackingNumber() {
        return trackingNumber;
    }

    public String carrier() {
        return carrier;
    }
}
