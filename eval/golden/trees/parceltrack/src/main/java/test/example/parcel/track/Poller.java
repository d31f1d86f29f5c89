package test.example.parcel.track;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import test.example.parcel.carrier.CarrierException;
import test.example.parcel.carrier.CarrierRegistry;
import test.example.parcel.notify.Notifier;

/** Asks carriers about every parcel that is still on its way. */
public class Poller {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
    private static final Duration FORGET_AFTER = Duration.ofDays(60);

    private final CarrierRegistry carriers;
    private final TimelineStore timelines;
    private final Notifier notifier;
    private final Clock clock;
    private final Duration interval;
    private final Map<String, Instant> nextTurn = new ConcurrentHashMap<>();

    public Poller(CarrierRegistry carriers, TimelineStore timelines, Notifier notifier, Clock clock,
            Duration interval) {
        this.carriers = carriers;
        this.timelines = timelines;
        this.notifier = notifier;
        this.clock = clock;
        this.interval = interval;
    }

    public void start(int parallel) {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(parallel);
        pool.scheduleWithFixedDelay(() -> timelines.unfinished().forEach(t -> pool.execute(() -> poll(t))),
                0, 30, TimeUnit.SECONDS);
    }

    void poll(Timeline timeline) {
        Instant now = clock.instant();
        if (nextTurn.getOrDefault(timeline.trackingNumber(), Instant.MIN).isAfter(now)) {
            return;
        }
        nextTurn.put(timeline.trackingNumber(), now.plus(pauseFor(timeline, now)));
        try {
            List<ScanEvent> fresh = timeline.merge(carriers.fetch(timeline.carrier(), timeline.trackingNumber()));
            fresh.forEach(event -> notifier.announce(timeline, event));
        } catch (CarrierException e) {
            LOG.warn("skipping {} this round: {}", timeline.trackingNumber(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("adapter of {} is broken", timeline.carrier(), e);
        }
    }

    /** A parcel on the van is worth asking about more often than one that nobody has seen yet. */
    private Duration pauseFor(Timeline timeline, Instant now) {
        return switch (timeline.status()) {
            case OUT_FOR_DELIVERY -> interval.dividedBy(3);
            case ANNOUNCED -> isStale(timeline, now) ? FORGET_AFTER : interval.multipliedBy(4);
            default -> interval;
        };
    }

    private boolean isStale(Timeline timeline, Instant now) {
        List<ScanEvent> events = timeline.events();
        return !events.isEmpty() && events.get(0).at().plus(FORGET_AFTER).isBefore(now);
    }
}
