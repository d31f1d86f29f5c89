<html><?php
declare(strict_types=1);

namespace App\Orders;

use App\Money\Currency;
use Stringable as Text, Countable;
use App\Events\{Placed, Sub\Shipped as Sent};
use function App\Support\format;
use const App\Support\{LIMIT};

require_once __DIR__ . '/bootstrap.php';
include("legacy/helpers.php");

// How many lines an order may have.
const MAX_LINES = 100;
const A = 1, B = MAX_LINES;
define('ORDERS_DEBUG', false);

$defaults = ['currency' => 'EUR'];
$total = fn (array $lines): int => array_sum($lines);

/** What can be priced. */
interface Priced extends Text, \Countable
{
    const SCALE = 2;

    public function price(?Currency $currency = null): Money|null;
}

/** Writes to the log. */
trait Logs
{
    protected static ?Logger $logger = null, $spare;

    abstract protected function name(): string;
}

/** Where an order stands. */
#[Labels('status')]
enum Status: string implements HasLabel
{
    // Nothing paid yet.
    case Open = 'open';
    #[Final]
    case Paid = 'paid';

    const DEFAULT = self::Open;
}

/**
 * One order of a customer,
 * with its lines. */
#[Entity(table: 'orders')]
final class Order extends Model implements Priced, \JsonSerializable
{
    use Logs, SoftDeletes { name as protected baseName; }

    /** @var Line[] */
    #[OneToMany]
    private array $lines = [];
    public string $label {
        get => $this->name . '!';
    }

    // Made by the shop only.
    public function __construct(
        public readonly Status $status,
        private int|Currency &$paid = Status::DEFAULT,
    ) {
        parent::__construct();
        static $made = 0;
    }

    /** Adds a line. */
    public static function &open(Line ...$lines): static
    {
        try {
            $order = new self(Status::Open, new \App\Money\Amount(3));
            $order?->add(Factory::make(Line::class))->save();
        } catch (NotFound | Denied\Hard $e) {
            return \array_map(format(...), $e instanceof Sent ? [] : [$e]);
        }
        return new class extends Base { public function run(): void {} };
    }
}

/* Finds an order. */
function &find(int $id, callable $then = null): ?Order { return Repo::$all[$id]; }
it('adds lines', function () { expect(1)->toBe(1); });
