package test.example.parcel.legacy;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import test.example.parcel.track.ScanEvent;
import test.example.parcel.track.Status;

/**
 * Reads the public tracking page of carriers that have no interface. Status texts are guessed from
 * key words. Breaks whenever a carrier redesigns its site.
 *
 * @deprecated write a proper {@link test.example.parcel.carrier.Carrier} instead
 */
@Deprecated
public class PageScraper {
    private static final Pattern ROW = Pattern.compile(
            "<tr[^>]*>\\s*<td>(\\d{2}\\.\\d{2}\\.\\d{4} \\d{2}:\\d{2})</td>\\s*<td>([^<]*)</td>\\s*<td>([^<]*)</td>");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd.MM.yyyy HH:mm");

    public List<ScanEvent> scrapeEvents(String html) {
        List<ScanEvent> events = new ArrayList<>();
        Matcher row = ROW.matcher(html);
        while (row.find()) {
            LocalDateTime at = LocalDateTime.parse(row.group(1), TIME);
            String text = row.group(3).trim();
            events.add(new ScanEvent(at.toInstant(ZoneOffset.UTC), guessStatus(text), row.group(2).trim(), text));
        }
        return events;
    }

    static Status guessStatus(String text) {
        String lower = text.toLowerCase();
        if (lower.contains("delivered") || lower.contains("signed by")) {
            return Status.DELIVERED;
        }
        if (lower.contains("out for delivery") || lower.contains("on vehicle")) {
            return Status.OUT_FOR_DELIVERY;
        }
        if (lower.contains("return")) {
            return Status.RETURNING;
        }
        if (lower.contains("not possible") || lower.contains("nobody") || lower.contains("unsuccessful")) {
            return Status.FAILED;
        }
        if (lower.contains("depot")) {
            return Status.AT_DEPOT;
        }
        if (lower.contains("picked up") || lower.contains("accepted")) {
            return Status.ACCEPTED;
        }
        return lower.contains("announced") ? Status.ANNOUNCED : Status.MOVING;
    }
}
