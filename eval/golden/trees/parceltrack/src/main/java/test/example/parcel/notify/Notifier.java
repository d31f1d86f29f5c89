package test.example.parcel.notify;

import java.time.Clock;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import test.example.parcel.track.ScanEvent;
import test.example.parcel.track.Status;
import test.example.parcel.track.Timeline;

public class Notifier {
    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
    private static final Set<Status> WORTH_TELLING =
            Set.of(Status.ACCEPTED, Status.OUT_FOR_DELIVERY, Status.DELIVERED, Status.FAILED, Status.RETURNING);

    public interface Channel {
        void send(Timeline timeline, ScanEvent event);
    }

    private final Clock clock;
    private final boolean quiet;
    private final int firstHour;
    private final int lastHour;
    private final List<Channel> channels = new CopyOnWriteArrayList<>();
    private final Set<String> sentNotices = ConcurrentHashMap.newKeySet();
    private final List<Runnable> overnight = new CopyOnWriteArrayList<>();

    public Notifier(Clock clock, Properties config) {
        this.clock = clock;
        this.quiet = Boolean.parseBoolean(config.getProperty("notify.quiet", "false"));
        String[] hours = config.getProperty("notify.hours", "8-21").split("-");
        this.firstHour = Integer.parseInt(hours[0]);
        this.lastHour = Integer.parseInt(hours[1]);
    }

    public void add(Channel channel) {
        channels.add(channel);
    }

    public void announce(Timeline timeline, ScanEvent event) {
        if (quiet || !WORTH_TELLING.contains(event.status())) {
            return;
        }
        if (!sentNotices.add(timeline.trackingNumber() + "/" + event.status())) {
            LOG.debug("{} has been told about {} before", timeline.trackingNumber(), event.status());
            return;
        }
        Runnable delivery = () -> channels.forEach(channel -> channel.send(timeline, event));
        if (isNight()) {
            overnight.add(delivery);
        } else {
            delivery.run();
        }
    }

    /** Called every morning. */
    public void releaseHeldBack() {
        overnight.forEach(Runnable::run);
        overnight.clear();
    }

    private boolean isNight() {
        int hour = LocalTime.ofInstant(clock.instant(), ZoneOffset.UTC).getHour();
        return hour < firstHour || hour >= lastHour;
    }
}
