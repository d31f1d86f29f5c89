package test.example.parcel.carrier;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import test.example.parcel.track.ScanEvent;
import test.example.parcel.track.Status;

/** Swiftvan counts its states, it does not name them. */
public class SwiftvanCarrier implements Carrier {
    private static final Status[] BY_NUMBER = {
        Status.ANNOUNCED, Status.ACCEPTED, Status.MOVING, Status.AT_DEPOT,
        Status.OUT_FOR_DELIVERY, Status.DELIVERED, Status.FAILED, Status.RETURNING,
    };

    private final String token;
    private Function<String, String> transport = number -> "";

    public SwiftvanCarrier(String token) {
        this.token = token;
    }

    SwiftvanCarrier over(Function<String, String> transport) {
        this.transport = transport;
        return this;
    }

    @Override
    public String code() {
        return "swiftvan";
    }

    /** Fourteen digits of which the last makes the weighted sum divisible by ten. */
    @Override
    public boolean recognizes(String number) {
        if (!number.matches("\\d{14}")) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 14; i++) {
            int digit = number.charAt(13 - i) - '0';
            int doubled = digit * 2;
            sum += i % 2 == 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
        }
        return sum % 10 == 0;
    }

    @Override
    public List<ScanEvent> fetchEvents(String number) throws CarrierException {
        if (token.isEmpty()) {
            throw new CarrierException(CarrierException.Reason.CREDENTIALS, "no token for swiftvan configured");
        }
        List<ScanEvent> events = new ArrayList<>();
        for (String line : transport.apply(number).lines().toList()) {
            String[] cells = line.split(",");
            int state = Integer.parseInt(cells[1]);
            if (state < 0 || state >= BY_NUMBER.length) {
                throw new CarrierException(CarrierException.Reason.GARBLED, "state " + state + " out of range");
            }
            events.add(new ScanEvent(Instant.ofEpochSecond(Long.parseLong(cells[0])), BY_NUMBER[state],
                    cells.length > 2 ? cells[2] : "", cells[1]));
        }
        return events;
    }
}
