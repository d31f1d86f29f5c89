package test.example.parcel.address;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns what people type into what sorting machines read. */
public final class AddressNormalizer {
    public record Address(String street, String house, String postcode, String city) {}

    public static class UnusableAddressException extends RuntimeException {
        public UnusableAddressException(String message) {
            super(message);
        }
    }

    private record Abbreviation(Pattern pattern, String full) {}

    private static final List<Abbreviation> ABBREVIATIONS = List.of(
            new Abbreviation(Pattern.compile("\\bst(r)?\\.?$", Pattern.CASE_INSENSITIVE), "street"),
            new Abbreviation(Pattern.compile("\\bave?\\.?$", Pattern.CASE_INSENSITIVE), "avenue"),
            new Abbreviation(Pattern.compile("\\bsq\\.?$", Pattern.CASE_INSENSITIVE), "square"));

    private static final Pattern LINE = Pattern.compile("^(.*?)[ ,]+(\\d+\\s*[a-z]?(?:[/-]\\d+)*)$", Pattern.CASE_INSENSITIVE);

    private AddressNormalizer() {}

    public static Address normalize(String line, String postcode, String city) {
        Matcher matcher = LINE.matcher(squeeze(line));
        if (!matcher.matches()) {
            throw new UnusableAddressException("no house number in \"" + line + "\"");
        }
        String street = matcher.group(1);
        for (Abbreviation abbreviation : ABBREVIATIONS) {
            street = abbreviation.pattern().matcher(street).replaceAll(abbreviation.full());
        }
        String code = postcode.replaceAll("\\s", "").toUpperCase(Locale.ROOT);
        if (!code.matches("[A-Z0-9]{3,8}")) {
            throw new UnusableAddressException("not a postal code: " + postcode);
        }
        String house = matcher.group(2).replaceAll("\\s", "").toUpperCase(Locale.ROOT);
        return new Address(plain(street), house, code, plain(city));
    }

    private static String squeeze(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /** Machines read capitals without accents. */
    private static String plain(String text) {
        String decomposed = Normalizer.normalize(squeeze(text), Normalizer.Form.NFD);
        return decomposed.replaceAll("\\p{M}", "").toUpperCase(Locale.ROOT);
    }
}
