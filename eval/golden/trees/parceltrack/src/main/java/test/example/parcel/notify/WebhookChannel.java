package test.example.parcel.notify;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import test.example.parcel.track.ScanEvent;
import test.example.parcel.track.Timeline;

public class WebhookChannel implements Notifier.Channel {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookChannel.class);
    private static final int[] RETRY_MINUTES = {1, 5, 30, 120};

    private final HttpClient http = HttpClient.newHttpClient();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final URI target;
    private final byte[] secret;
    private final Clock clock;

    public WebhookChannel(URI target, byte[] secret, Clock clock) {
        this.target = target;
        this.secret = secret.clone();
        this.clock = clock;
    }

    @Override
    public void send(Timeline timeline, ScanEvent event) {
        String body = """
                {"parcel":"%s","status":"%s","at":"%s","place":"%s"}"""
                .formatted(timeline.trackingNumber(), event.status(), event.at(), event.place());
        attempt(body, 0);
    }

    private void attempt(String body, int failures) {
        HttpRequest request = HttpRequest.newBuilder(target)
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .header("X-Parcel-Signature", sign(body))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        http.sendAsync(request, HttpResponse.BodyHandlers.discarding()).whenComplete((response, error) -> {
            if (error == null && response.statusCode() / 100 == 2) {
                return;
            }
            if (failures >= RETRY_MINUTES.length) {
                LOG.warn("dropping event for {} after {} attempts", target.getHost(), failures + 1);
                return;
            }
            later.schedule(() -> attempt(body, failures + 1), RETRY_MINUTES[failures], TimeUnit.MINUTES);
        });
    }

    String sign(String body) {
        long now = clock.instant().getEpochSecond();
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            byte[] digest = mac.doFinal((now + "." + body).getBytes(StandardCharsets.UTF_8));
            return "t=" + now + ",s=" + HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }
}
