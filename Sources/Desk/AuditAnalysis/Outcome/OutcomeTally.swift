/// Some of the policies compared, by their positions.
struct PolicySet: OptionSet, Hashable, Sendable {
    let rawValue: UInt64

    /// How many policies can be told from each other.
    static let capacity = 64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The policies of which something is true.
    init(_ count: Int, where isMember: (Int) -> Bool) {
        precondition(count <= Self.capacity, "a policy is a bit")
        rawValue = (0..<count).reduce(0) { isMember($1) ? $0 | 1 << UInt64($1) : $0 }
    }

    func contains(_ policy: Int) -> Bool { rawValue & 1 << UInt64(policy) != 0 }
}

/// How often the outcome shows what each policy decides.
package struct OutcomeTally: Hashable, Sendable {
    /// Fields in which all policies show the same.
    package private(set) var alike = 0
    /// Those of them in which the outcome shows it too.
    package private(set) var alikeAgreeing = 0
    /// Of the fields in which the policies differ, how many agree with just these policies.
    private var agreements: [PolicySet: Int] = [:]

    mutating func add(alike agrees: Bool) {
        alike += 1
        if agrees { alikeAgreeing += 1 }
    }

    mutating func add(_ agreeing: PolicySet) { agreements[agreeing, default: 0] += 1 }

    mutating func add(_ other: OutcomeTally) {
        alike += other.alike
        alikeAgreeing += other.alikeAgreeing
        agreements.merge(other.agreements, uniquingKeysWith: +)
    }

    /// Fields in which the policies differ: the only ones that tell anything.
    package var differing: Int { agreements.values.reduce(0, +) }

    /// Those of them in which the outcome shows what a policy does.
    package func agreeing(with policy: Int) -> Int { agreements.reduce(0) { $1.key.contains(policy) ? $0 + $1.value : $0 } }

    /// Fields in which the outcome shows something else than a policy does.
    func disagreeing(with policy: Int) -> Int { alike - alikeAgreeing + differing - agreeing(with: policy) }

    /// Fields in which the outcome shows what no policy does.
    package var unexplained: Int { (agreements[[]] ?? 0) + alike - alikeAgreeing }

    /// Whether the outcome speaks for one of two policies and against the other in any field.
    package func tellsApart(_ one: Int, _ other: Int) -> Bool { agreements.keys.contains { $0.contains(one) != $0.contains(other) } }

    /// The policies that agree most often, where any does.
    package func best(of count: Int) -> [Int] {
        let counts = (0..<count).map(agreeing)
        guard let most = counts.max(), most > 0 else { return [] }
        return counts.indices.filter { counts[$0] == most }
    }

    /// The policies in groups, first ones first, between which the outcome cannot tell.
    package func groups(of count: Int) -> [[Int]] {
        var groups: [[Int]] = []
        for policy in 0..<count {
            if let index = groups.firstIndex(where: { !tellsApart($0[0], policy) }) {
                groups[index].append(policy)
            } else {
                groups.append([policy])
            }
        }
        return groups
    }

    /// Whether nothing is ever shown as any policy has it, although it often should be: the values are written in another way.
    var isForeign: Bool { alike >= Self.fewest && alikeAgreeing == 0 && agreements.keys.allSatisfy(\.isEmpty) }

    /// Fewer values that differ may well all have been changed by something that is not in the trace.
    private static let fewest = 3
}
