package test.example.parcel.carrier;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import test.example.parcel.track.ScanEvent;
import test.example.parcel.track.Status;

public class NordpostCarrier implements Carrier {
    private static final Map<String, Status> VOCABULARY = Map.ofEntries(
            Map.entry("NOTIFIED", Status.ANNOUNCED),
            Map.entry("COLLECTED", Status.ACCEPTED),
            Map.entry("LINEHAUL", Status.MOVING),
            Map.entry("TERMINAL_ARRIVAL", Status.MOVING),
            Map.entry("DELIVERY_BASE", Status.AT_DEPOT),
            Map.entry("ON_ROUND", Status.OUT_FOR_DELIVERY),
            Map.entry("HANDED_OVER", Status.DELIVERED),
            Map.entry("PUT_IN_BOX", Status.DELIVERED),
            Map.entry("NOBODY_HOME", Status.FAILED),
            Map.entry("REFUSED", Status.RETURNING));

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String key;

    public NordpostCarrier(String key) {
        this.key = key;
    }

    @Override
    public String code() {
        return "nordpost";
    }

    /** Two letters, eight digits, a check digit modulo 11, two letters. */
    @Override
    public boolean recognizes(String number) {
        if (!number.matches("[A-Z]{2}\\d{9}[A-Z]{2}")) {
            return false;
        }
        int[] weights = {8, 6, 4, 2, 3, 5, 9, 7};
        int sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * (number.charAt(i + 2) - '0');
        }
        int check = 11 - sum % 11;
        check = check == 10 ? 0 : check == 11 ? 5 : check;
        return check == number.charAt(10) - '0';
    }

    @Override
    public List<ScanEvent> fetchEvents(String number) throws CarrierException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://api.nordpost.test/v2/items/" + number))
                .header("X-Api-Key", key)
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new CarrierException(CarrierException.Reason.UNREACHABLE, "nordpost does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CarrierException(CarrierException.Reason.UNREACHABLE, "interrupted", e);
        }
        return switch (response.statusCode()) {
            case 200 -> parse(response.body());
            case 404 -> throw new CarrierException(CarrierException.Reason.UNKNOWN_NUMBER, number);
            case 401, 403 -> throw new CarrierException(CarrierException.Reason.CREDENTIALS, "credentials rejected");
            default -> throw new CarrierException(CarrierException.Reason.UNREACHABLE, "status " + response.statusCode());
        };
    }

    /** One event a line: time, code, place. */
    static List<ScanEvent> parse(String body) throws CarrierException {
        List<ScanEvent> events = new ArrayList<>();
        for (String line : body.split("\\R")) {
            String[] cells = line.split("\\|", -1);
            if (cells.length != 3) {
                throw new CarrierException(CarrierException.Reason.GARBLED, "expected 3 cells: " + line);
            }
            try {
                Status status = VOCABULARY.getOrDefault(cells[1], Status.MOVING);
                events.add(new ScanEvent(Instant.parse(cells[0]), status, cells[2], cells[1]));
            } catch (DateTimeParseException e) {
                throw new CarrierException(CarrierException.Reason.GARBLED, "bad time: " + cells[0], e);
            }
        }
        return events;
    }
}
