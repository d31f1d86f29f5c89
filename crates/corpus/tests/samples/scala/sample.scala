package harbour.dock

import harbour.ships.Ship
import harbour.cargo.{Crate, Barrel => Cask, _}
import scala.collection.mutable, java.time.Instant

/** Knots, nautical miles an hour. */
opaque type Knots = Double
type Crew[A] = Map[String, A]

val Berths = 12
private var (moored, waiting) = (0, List.empty[Ship])

/** What floats. */
sealed trait Floating[+A <: Crate] extends Product with Ordered[A] {
  def draft: Double
  val flag, home: String
  type Load
  protected def sink[B >: A](by: B => Unit)(implicit log: Log): Unit
}

/**
 * A quay with room. */
@deprecated("use Pier", "1.2")
final case class Quay[A: Ordering](name: String, length: Int = 3)(using clock: Clock)
    extends Place(name) with Floating[A] { self: Lit =>
  import Quay.Max

  lazy val lamps: Seq[Lamp] = Seq.fill(length)(new Lamp("red"))
  override val draft = 0.5
  private[dock] var last: Option[Instant] = None

  def this(name: String) = this(name, 1)

  /** Ties up a ship. */
  @throws[FullException]
  def +(ship: Ship): Quay[A] = {
    val rope = mutable.Buffer[Rope](Rope.long)
    def knot(n: Int): Int = if (n > 0) knot(n - 1) else n
    val watch = new Watch[A](rope) with Calm {
      override def seen(at: Instant) = lamps foreach (_.light())
    }
    ship match {
      case Tug(power) if power > Max => copy(name = "tug")
      case other: Cask               => throw new FullException(other)
    }
  }

  implicit class Rich(val crate: A) extends AnyVal { def heavy = crate.weight > 9 }
}

object Quay extends App {
  final val Max = 40
  implicit val byName: Ordering[Quay[Crate]] = Ordering.by(_.name)
  def apply(names: String*): Quay[Crate] = ???
}

// Which way the tide runs.
enum Tide(
    val height: Int) derives CanEqual:
  case Ebb extends Tide(1)
  case Slack, Flood
  case Spring(moon: Moon) extends Tide(9)
  def next: Tide = Ebb
end Tide

given tideShow: Show[Tide] with
  def show(tide: Tide) = tide.toString
end tideShow

given Ordering[Moon] with
  def compare(a: Moon, b: Moon) = 0

extension (knots: Knots)
  def metres: Double = knots * 0.51
  infix def over(other: Knots) = knots / other

extension [A](crew: Crew[A]) inline def mate: A | Null = crew("mate")

package object signals { def horn() = println("toot") }
case object Buoy

class QuayTest extends AnyFunSuite:
  test("ties up") {
    val quay = Quay("north")
    assert(quay.lamps.isEmpty)
  }
  "A quay" should "have lamps" in { check[Lamp](1) }
end QuayTest
