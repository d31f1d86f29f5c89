package test.example.parcel.track;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

public class TimelineStore {
    private final ConcurrentHashMap<String, Timeline> timelines = new ConcurrentHashMap<>();

    public Timeline watch(String trackingNumber, String carrier) {
        return timelines.computeIfAbsent(trackingNumber, number -> new Timeline(number, carrier));
    }

    public Optional<Timeline> find(String trackingNumber) {
        return Optional.ofNullable(timelines.get(trackingNumber));
    }

    public Collection<Timeline> unfinished() {
        return timelines.values().stream().filter(timeline -> !timeline.status().isTerminal()).toList();
    }
}
