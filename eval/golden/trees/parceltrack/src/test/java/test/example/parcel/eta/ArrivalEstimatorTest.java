package test.example.parcel.eta;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import test.example.parcel.track.ScanEvent;
import test.example.parcel.track.Status;
import test.example.parcel.track.Timeline;

class ArrivalEstimatorTest {
    private static final Instant MONDAY = Instant.parse("2024-06-03T08:00:00Z");

    private final LaneHistory history = new LaneHistory();
    private final ArrivalEstimator estimator =
            new ArrivalEstimator(history, Clock.fixed(MONDAY, ZoneOffset.UTC));

    private static Timeline accepted() {
        Timeline timeline = new Timeline("1", "nordpost");
        timeline.merge(List.of(new ScanEvent(MONDAY, Status.ACCEPTED, "", "")));
        return timeline;
    }

    @Test
    void withoutHistoryTheDistanceDecides() {
        assertEquals(Optional.of(LocalDate.of(2024, 6, 6)), estimator.estimate(accepted(), "A", "B", 800));
    }

    @Test
    void estimateUsesTheSlowFifthOfTheLane() {
        for (int n = 1; n <= 20; n++) {
            history.record("A", "B", Duration.ofDays(n <= 15 ? 1 : 4));
        }
        assertEquals(Optional.of(LocalDate.of(2024, 6, 7)), estimator.estimate(accepted(), "A", "B", 10));
    }

    @Test
    void nobodyDeliversOnSunday() {
        assertEquals(LocalDate.of(2024, 6, 10), ArrivalEstimator.skipSunday(LocalDate.of(2024, 6, 9)));
    }
}
