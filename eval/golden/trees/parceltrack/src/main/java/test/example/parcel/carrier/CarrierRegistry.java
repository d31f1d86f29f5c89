package test.example.parcel.carrier;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import test.example.parcel.track.ScanEvent;

/** All carriers, each behind its own breaker. */
public class CarrierRegistry {
    private final Map<String, Carrier> byCode = new LinkedHashMap<>();
    private final Map<String, CircuitBreaker> breakers = new LinkedHashMap<>();

    public CarrierRegistry(List<Carrier> carriers, Clock clock) {
        for (Carrier carrier : carriers) {
            if (byCode.put(carrier.code(), carrier) != null) {
                throw new IllegalArgumentException("two carriers with the code " + carrier.code());
            }
            breakers.put(carrier.code(), new CircuitBreaker(clock));
        }
    }

    /** Several carriers may claim a number; the one registered first gets it. */
    public Optional<Carrier> guess(String trackingNumber) {
        String cleaned = trackingNumber.replaceAll("[\\s-]", "").toUpperCase();
        return byCode.values().stream().filter(carrier -> carrier.recognizes(cleaned)).findFirst();
    }

    public List<ScanEvent> fetch(String code, String trackingNumber) throws CarrierException {
        Carrier carrier = byCode.get(code);
        if (carrier == null) {
            throw new IllegalArgumentException("no carrier with the code " + code);
        }
        CircuitBreaker breaker = breakers.get(code);
        if (!breaker.allows()) {
            throw new CarrierException(CarrierException.Reason.CIRCUIT_OPEN,
                    code + " is resting after repeated failures");
        }
        try {
            List<ScanEvent> events = carrier.fetchEvents(trackingNumber);
            breaker.succeeded();
            return events;
        } catch (CarrierException e) {
            if (e.isOutage()) {
                breaker.failed();
            } else {
                breaker.succeeded();
            }
            throw e;
        }
    }
}
