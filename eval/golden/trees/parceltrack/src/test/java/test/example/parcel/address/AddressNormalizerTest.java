package test.example.parcel.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import test.example.parcel.address.AddressNormalizer.Address;
import test.example.parcel.address.AddressNormalizer.UnusableAddressException;

class AddressNormalizerTest {
    @Test
    void abbreviationsAccentsAndSpacesGo() {
        assertEquals(new Address("MAIN STREET", "12B", "SW1A1AA", "ZURICH"),
                AddressNormalizer.normalize("  Main   Str. 12 b", "sw1a 1aa", "Zürich"));
    }

    @Test
    void aHouseNumberIsNeeded() {
        assertThrows(UnusableAddressException.class,
                () -> AddressNormalizer.normalize("Castle Street", "1010", "Wien"));
    }
}
