@file:JvmName("Orchard")
package farm.orchard

import farm.tools.Ladder
import farm.weather.*
import farm.trees.Pear as Fruit

/** Baskets at hand. */
const val BASKETS = 12
private val seasons: List<String> = listOf("spring", "autumn")
var Tree.height: Double
    get() = measure(this)
    set(value) = grow(value)

typealias Picker<T> = suspend (T) -> Boolean

/** Marks what is ripe. */
@Target(AnnotationTarget.CLASS, AnnotationTarget.FUNCTION)
annotation class Ripe(val since: String = "")

/**
 * What can be picked. */
sealed interface Pickable {
    val weight: Int
    fun pick(by: Ladder? = null): Basket<out Pickable>

    data object Nothing : Pickable {
        override val weight get() = 0
        override fun pick(by: Ladder?) = Basket<Nothing>()
    }
}
fun interface Sorter { fun sort(fruit: Fruit): Int }

/** How far along. */
enum class Stage(
    val days: Int,
) {
    /** Not yet. */
    BUD(10) {
        override fun next() = BLOOM
    },
    @Ripe BLOOM(3);

    abstract fun next(): Stage
    val late = days > 5
}

// A basket holds what was picked.
@Ripe("2020")
@Suppress("unused")
data class Basket<T : Pickable>(
    private val owner: String,
    var items: MutableList<T>,
    size: Int,
) : Container(size), Iterable<T> by items where T : Comparable<T> {
    lateinit var label: Map.Entry<String, Stage>
    private val lid by lazy { Lid(owner) }

    /** Starts with nothing. */
    constructor(owner: String) : this(owner, mutableListOf(), 0) {
        check(owner.isNotEmpty())
    }

    init { println("woven") }

    /** Adds one more. */
    @JvmOverloads
    operator fun plus(item: T): Basket<T> {
        val copy = items.toMutableList()
        fun seal() = lid.close<Lid>()
        val watcher = object : Watcher<T>, Closer() {
            override fun seen(item: T) = seal()
        }
        when (item) {
            is Pickable.Nothing -> throw EmptyBasket(owner)
            else -> items.map(Fruit::peel).filter { it as? Ripe != null }
        }
        return copy to watcher as Basket<T>
    }

    inner class Lid(val of: String)

    companion object {
        internal const val LIMIT = 40
        fun <E : Pickable> of(vararg all: E): Basket<E>? = null
    }
}

fun String?.orApple(): String = this ?: "apple"
inline fun <reified T> T.`also weigh`(scale: Scale.() -> Unit) = apply { Scale().scale() }
