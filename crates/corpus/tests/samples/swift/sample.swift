import Foundation
@testable import Kitchen
import struct Ovens.Oven

/// How hot it gets.
public typealias Heat = Measurement<UnitTemperature>

let maxHeat = 280, minHeat: Int = 30
/// Shared by every cook.
public private(set) var timers: [String: Timer] = [:]

infix operator <~>: AdditionPrecedence
precedencegroup Mixing { higherThan: AdditionPrecedence }

/// What can be cooked.
@objc
protocol Cookable: AnyObject, Sendable {
    associatedtype Part: Hashable
    /// How long it takes.
    var minutes: Int { get set }
    init(parts: [Part])
    /// Starts cooking.
    func cook<T: Stove>(on stove: T) async throws -> Dish
    static func + (a: Self, b: Self) -> Self
}

/// A meal and its parts.
@MainActor
public final class Meal<P: Hashable>: Base, Cookable where P: Codable {
    /// Its name.
    @Published public var title: String = "none"
    private lazy var oven: Oven? = { Oven.default }()
    static let empty = Meal(), full: Meal? = nil
    let (width, height) = (1, 2)
    var minutes: Int {
        get { return parts.count }
        set { log(newValue) }
    }
    @available(iOS 13, *)
    weak var delegate: MealDelegate? {
        didSet { delegate?.mealDidChange(self) }
    }

    /**
     Makes a meal. */
    public required init?(parts: [P], _ rest: (any Plate)...) throws {
        let local = 1
        super.init()
        try self.check(Rules<P>(strict: true))
    }
    deinit { timers.removeAll() }
    subscript(index: Int) -> P? { parts[index] }

    // Taste of it.
    @discardableResult
    func taste(_ with: some Spoon, then done: @escaping (Result<Dish, Error>) -> Void) -> [Taste] {
        func inner() {}
        return parts.map { $0 as! Taste }.filter { $0 is Sweet } + [Taste.Kind(value: 3), .sour]
    }
    struct Plate { var rim: CGFloat; let size: Size }
}

/// Where a meal stands.
indirect enum Stage: String, CaseIterable {
    /// Nothing done yet.
    case raw, warm = "w"
    case done(at: Date, Meal<Int>)
    static let first = Stage.raw
    var isDone: Bool { self == .raw }
}

actor Waiter { nonisolated func serve() {} }

// Serving.
extension Meal.Plate: Equatable where P == Int {
    static func == (lhs: Self, rhs: Self) -> Bool { true }
}
extension Array<Meal> { func total() -> Int { 0 } }

func <~> (l: Heat, r: Heat) -> Heat { l }
#if DEBUG
@freestanding(expression) macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "M", type: "S")
@Test("soup is hot") func soup() { #expect(cook() == 1) }
#endif
