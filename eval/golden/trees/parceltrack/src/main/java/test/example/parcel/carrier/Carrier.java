package test.example.parcel.carrier;

import java.util.List;
import test.example.parcel.track.ScanEvent;

/** A company that moves parcels, seen through its interface. */
public interface Carrier {
    /** Short and stable; part of stored data. */
    String code();

    /** Whether a tracking number looks like one of theirs, check digit included. */
    boolean recognizes(String trackingNumber);

    /**
     * Everything the carrier knows about a parcel, in the order it chose to tell it.
     *
     * @throws CarrierException if the carrier cannot be reached or does not know the number
     */
    List<ScanEvent> fetchEvents(String trackingNumber) throws CarrierException;
}
