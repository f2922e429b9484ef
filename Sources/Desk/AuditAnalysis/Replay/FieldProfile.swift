import SyncMerge
import SyncModel

/// What has been written to a field: enough to tell a counter and a list from everything else.
struct FieldProfile {
    private var numbers = 0
    private var lists = 0
    private var others = 0
    /// Changes of a number that was seen.
    private(set) var ups = 0
    private(set) var downs = 0
    private var smallSteps = 0
    private var steps = 0
    /// Changes of a list.
    private(set) var edits = 0
    private(set) var reorderings = 0
    private(set) var listsWithRepeats = 0

    /// Up to here a step is small: what is counted rarely moves by more at once, what is measured or dated mostly does.
    private static let smallStep: UInt64 = 100
    /// Fewer changes say nothing about a field.
    private static let fewestChanges = 3

    mutating func observe(_ value: FieldValue, _ change: PlainValueReading.Change?) {
        if let number = value.integer {
            numbers += 1
            guard change?.counted != nil, let base = change?.base?.integer, base != number else { return }
            let distance = number > base ? UInt64(bitPattern: number &- base) : UInt64(bitPattern: base &- number)
            if number > base { ups += 1 } else { downs += 1 }
            if distance == 1 { steps += 1 }
            if distance <= Self.smallStep { smallSteps += 1 }
        } else if let list = value.array {
            lists += 1
            if Set(list).count < list.count { listsWithRepeats += 1 }
            guard let edited = change?.edited.flatMap(SetWrite.init), let base = change?.base else { return }
            if !edited.added.isEmpty || !edited.removed.isEmpty { edits += 1 } else if base != value { reorderings += 1 }
        } else if value != .null {
            others += 1
        }
    }

    /// What a field's values look like.
    enum Shape {
        /// A whole number that is counted up, or up and down by one.
        case counter(onlyGrows: Bool)
        /// A whole number that only ever grows, but by leaps.
        case highest
        /// A list in which an element occurs once, but for the odd slip.
        case set
        /// A list in which an element often occurs twice.
        case sequence
        /// Anything else.
        case value
    }

    var shape: Shape {
        if Self.isSlip(others + lists, of: numbers), ups + downs >= Self.fewestChanges {
            if downs == 0 { return smallSteps * 2 >= ups ? .counter(onlyGrows: true) : .highest }
            if ups > 0, steps * 10 >= (ups + downs) * 9 { return .counter(onlyGrows: false) }
        }
        if Self.isSlip(others + numbers, of: lists), edits > 0 { return Self.isSlip(listsWithRepeats, of: lists) ? .set : .sequence }
        return .value
    }

    /// Whether so few of the writes are the odd ones out that somebody's slip explains them.
    private static func isSlip(_ count: Int, of all: Int) -> Bool { count * 20 <= all }

    var holdsLists: Bool { lists > 0 }
}
