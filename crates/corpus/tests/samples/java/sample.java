package shop.cart;

import java.util.List;
import java.util.concurrent.*;
import static java.util.Objects.requireNonNull;

/** Marks what the cashier may see. */
@Retention(RetentionPolicy.RUNTIME)
@interface Visible {
    String value() default "all";
    int LEVEL = 1;
}

/**
 * A cart that fills and empties. */
@Visible("cashier")
@SuppressWarnings({"unchecked", "rawtypes"})
public final class Cart<T extends Item & Comparable<T>> extends Basket
        implements AutoCloseable, Iterable<T> {
    /** Most items at once. */
    public static final int MAX = 99, MIN = 1;
    private static final String[] NAMES = {
        "small", "large",
    };
    static int opened;
    protected List<? super T> items, later = new CopyOnWriteArrayList<>();
    @Deprecated
    volatile Map.Entry<String, T> last; // kept for the receipt

    static {
        opened = 0;
    }

    // Starts with what is given.
    @SafeVarargs
    public Cart(T... first) throws CartException {
        super(first.length);
        this.items = List.of(first);
    }

    /** Adds one. */
    @Override
    public <R extends T> boolean add(final R item,
            @Nullable Object note) {
        var count = items.size();
        for (Item each : later) {
            if (each instanceof Fruit fruit && fruit.isRipe()) {
                log(String.valueOf(count), (Runnable) null);
            }
        }
        Runnable undo = new Runnable() {
            private int tries;

            @Override
            public void run() {
                items.forEach(Cart::drop);
            }
        };
        return requireNonNull(new Slot<R>(item)).fits(Fruit.class);
    }

    abstract static class Shelf {
        abstract long weigh(Item item,
                Scale scale);
    }

    /** How to pay. */
    enum Payment implements Supplier<String> {
        /** Coins. */
        CASH,
        CARD("chip") {
            @Override public String get() { return "card"; }
        };

        Payment(String... ways) {}
        public String get() { return name(); }
    }
}

sealed interface Item permits Fruit, Tool {
    int PRICE = 3;
    default int price() { return PRICE; }
}

record Fruit(@Visible String name, List<Seed> seeds) implements Item {
    Fruit {
        if (seeds == null) throw new IllegalArgumentException("none");
    }
}
