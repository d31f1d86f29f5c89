package test.example.parcel;

import java.io.FileReader;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import test.example.parcel.carrier.CarrierRegistry;
import test.example.parcel.carrier.NordpostCarrier;
import test.example.parcel.carrier.SwiftvanCarrier;
import test.example.parcel.eta.ArrivalEstimator;
import test.example.parcel.eta.LaneHistory;
import test.example.parcel.notify.Notifier;
import test.example.parcel.track.Poller;
import test.example.parcel.track.TimelineStore;
import test.example.parcel.web.TrackingServer;

public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        Properties config = new Properties();
        try (FileReader reader = new FileReader(args.length > 1 ? args[1] : "application.properties")) {
            config.load(reader);
        }
        Clock clock = Clock.systemUTC();
        TimelineStore timelines = new TimelineStore();
        CarrierRegistry carriers = new CarrierRegistry(
                List.of(new NordpostCarrier(config.getProperty("nordpost.key", "")),
                        new SwiftvanCarrier(config.getProperty("swiftvan.token", ""))),
                clock);
        LaneHistory history = new LaneHistory();
        Notifier notifier = new Notifier(clock, config);
        Poller poller = new Poller(carriers, timelines, notifier, clock,
                Duration.ofSeconds(Long.parseLong(config.getProperty("poll.interval.seconds", "900"))));
        poller.start(Integer.parseInt(config.getProperty("poll.parallel", "8")));
        new TrackingServer(timelines, new ArrivalEstimator(history, clock))
                .listen(Integer.parseInt(config.getProperty("server.port", "8085")));
    }
}
