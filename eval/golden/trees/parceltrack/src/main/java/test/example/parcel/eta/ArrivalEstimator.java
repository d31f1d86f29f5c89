package test.example.parcel.eta;

import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import test.example.parcel.track.ScanEvent;
import test.example.parcel.track.Status;
import test.example.parcel.track.Timeline;

/** The day on which somebody should be at home. */
public class ArrivalEstimator {
    private static final int PERCENT = 80;
    private static final double KM_PER_DAY = 400;

    private final LaneHistory history;
    private final Clock clock;

    public ArrivalEstimator(LaneHistory history, Clock clock) {
        this.history = history;
        this.clock = clock;
    }

    public Optional<LocalDate> estimate(Timeline timeline, String from, String to, double kilometres) {
        if (timeline.status() == Status.OUT_FOR_DELIVERY) {
            return Optional.of(today());
        }
        Optional<Instant> start = timeline.events().stream()
                .filter(event -> event.status() == Status.ACCEPTED)
                .map(ScanEvent::at)
                .findFirst();
        if (start.isEmpty() || timeline.status().isTerminal()) {
            return Optional.empty();
        }
        Duration journey = history.percentile(from, to, PERCENT).orElseGet(() -> byDistance(kilometres));
        LocalDate day = LocalDate.ofInstant(start.get().plus(journey), ZoneOffset.UTC);
        return Optional.of(skipSunday(day.isBefore(today()) ? today().plusDays(1) : day));
    }

    /** Without history: a day to get going and then so many kilometres a day. */
    static Duration byDistance(double kilometres) {
        return Duration.ofHours(24 + Math.round(24 * kilometres / KM_PER_DAY));
    }

    static LocalDate skipSunday(LocalDate day) {
        return day.getDayOfWeek() == DayOfWeek.SUNDAY ? day.plusDays(1) : day;
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }
}
