package test.example.parcel.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import test.example.parcel.eta.ArrivalEstimator;
import test.example.parcel.track.ScanEvent;
import test.example.parcel.track.Timeline;
import test.example.parcel.track.TimelineStore;

public class TrackingServer {
    private final TimelineStore timelines;
    private final ArrivalEstimator estimator;

    public TrackingServer(TimelineStore timelines, ArrivalEstimator estimator) {
        this.timelines = timelines;
        this.estimator = estimator;
    }

    public void listen(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 50);
        server.createContext("/parcels/", this::showParcel);
        server.createContext("/health", exchange -> reply(exchange, 200, "{\"ok\":true}"));
        server.start();
    }

    private void showParcel(HttpExchange exchange) throws IOException {
        String number = exchange.getRequestURI().getPath().substring("/parcels/".length());
        Optional<Timeline> timeline = timelines.find(number);
        if (timeline.isEmpty()) {
            reply(exchange, 404, "{\"error\":\"nobody asked us to watch this parcel\"}");
            return;
        }
        reply(exchange, 200, toJson(timeline.get()));
    }

    String toJson(Timeline timeline) {
        String events = timeline.events().stream().map(TrackingServer::toJson).collect(Collectors.joining(","));
        String eta = estimator.estimate(timeline, "", "", 300).map(day -> "\"" + day + "\"").orElse("null");
        return "{\"status\":\"%s\",\"eta\":%s,\"events\":[%s]}".formatted(timeline.status(), eta, events);
    }

    private static String toJson(ScanEvent event) {
        return "{\"at\":\"%s\",\"status\":\"%s\",\"place\":\"%s\"}"
                .formatted(event.at(), event.status(), event.place().replace("\"", "\\\""));
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }
}
