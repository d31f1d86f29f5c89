package test.example.parcel.track;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Timeline timeline = new Timeline("AB123456785XX", "nordpost");

    private static ScanEvent event(int minute, Status status) {
        return new ScanEvent(Instant.ofEpochSecond(minute * 60L), status, "", "");
    }

    @Test
    void lateReportsAreSortedIn() {
        timeline.merge(List.of(event(1, Status.ACCEPTED), event(9, Status.AT_DEPOT)));
        timeline.merge(List.of(event(5, Status.MOVING)));
        assertEquals(List.of(Status.ACCEPTED, Status.MOVING, Status.AT_DEPOT),
                timeline.events().stream().map(ScanEvent::status).toList());
    }

    @Test
    void statusNeverGoesBackAfterDelivery() {
        timeline.merge(List.of(event(1, Status.OUT_FOR_DELIVERY), event(2, Status.DELIVERED)));
        assertTrue(timeline.merge(List.of(event(3, Status.MOVING))).isEmpty());
        assertEquals(Status.DELIVERED, timeline.status());
    }

    @Test
    void statusMayGoBackOnTheVanAfterAFailedDelivery() {
        timeline.merge(List.of(event(1, Status.OUT_FOR_DELIVERY), event(2, Status.FAILED),
                event(3, Status.OUT_FOR_DELIVERY)));
        assertEquals(Status.OUT_FOR_DELIVERY, timeline.status());
    }

    @Test
    void mergingTheSameEventTwiceChangesNothing() {
        timeline.merge(List.of(event(1, Status.ACCEPTED)));
        assertTrue(timeline.merge(List.of(event(1, Status.ACCEPTED))).isEmpty());
    }
}
