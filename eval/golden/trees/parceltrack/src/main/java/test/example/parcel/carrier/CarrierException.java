package test.example.parcel.carrier;

public class CarrierException extends Exception {
    public enum Reason { UNREACHABLE, UNKNOWN_NUMBER, CREDENTIALS, GARBLED, CIRCUIT_OPEN }

    private final Reason reason;

    public CarrierException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public CarrierException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Whether it makes sense to count this against the carrier. */
    public boolean isOutage() {
        return reason == Reason.UNREACHABLE || reason == Reason.GARBLED;
    }
}
