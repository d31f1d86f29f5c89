package test.example.parcel.eta;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How long parcels took between two regions, as far back as is useful. */
public class LaneHistory {
    private static final int KEPT = 500;
    private static final int LEAST = 20;

    private record Lane(String from, String to) {}

    private final Map<Lane, Deque<Duration>> samples = new HashMap<>();

    public synchronized void record(String from, String to, Duration took) {
        Deque<Duration> lane = samples.computeIfAbsent(new Lane(from, to), key -> new ArrayDeque<>());
        lane.addLast(took);
        if (lane.size() > KEPT) {
            lane.removeFirst();
        }
    }

    /** Empty if too little is known to say anything. */
    public synchronized Optional<Duration> percentile(String from, String to, int percent) {
        Deque<Duration> lane = samples.get(new Lane(from, to));
        if (lane == null || lane.size() < LEAST) {
            return Optional.empty();
        }
        Duration[] sorted = lane.stream().sorted().toArray(Duration[]::new);
        int index = (int) Math.ceil(percent / 100.0 * sorted.length) - 1;
        return Optional.of(sorted[Math.max(index, 0)]);
    }
}
