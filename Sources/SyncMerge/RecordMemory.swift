import SyncModel

/// What is remembered of the writes to a record besides its state, to say whose edits a put carries.
///
/// Who audits a history keeps all of it in the order of arrival, which is to be causal: then what is said of a conflict does not depend on
/// that order. A replica has but the write that was last displaced in each register, and what does not follow from that is not known.
package struct RecordMemory: Sendable {
    private struct Register: Sendable {
        var memory = RegisterMemory()
        /// How many of the record's writes have been looked at.
        var taken = 0
    }

    private let isWhole: Bool
    /// Whether the next write names writes as seen that have not come to any record, as far as the devices' latest tell.
    package var isNextOpen = false
    /// Whether a write has come after one whose writer had seen it.
    package private(set) var hasLateWrite = false
    /// What the last write undid; whoever merged it takes them out.
    package var reverts: [Revert] = []
    private var items: [RegisterMemory.Item] = []
    /// The writes to the record in their order of arrival, where all are kept.
    var writes: [TaggedWrite] { items.map(\.write) }
    /// The registers that were asked about.
    private var registers: [FieldName?: Register] = [:]

    /// The memory of a replica.
    package static let ofReplica = RecordMemory(isWhole: false)

    /// A memory of a whole history, of which nothing has come yet.
    package init() { self.init(isWhole: true) }

    private init(isWhole: Bool) { self.isWhole = isWhole }

    /// Whether writes are looked at for what they undo.
    var findsReverts: Bool { isWhole }

    /// Takes the next write to the record.
    ///
    /// - Parameter isCovered: Whether it, or one whose writer had seen it, has come before.
    mutating func append(_ write: TaggedWrite, isCovered: Bool) {
        guard isWhole else { return }
        if isCovered {
            if items.suffix(1024).contains(where: { $0.write.hasSameDot(as: write) }) { return }
            hasLateWrite = true
        }
        items.append(RegisterMemory.Item(write: write, isOpen: isNextOpen))
        isNextOpen = false
    }

    /// Calls a body with what is remembered of a register: a field, or the whole record where the field is nil.
    ///
    /// - Parameter displaced: What a replica remembers.
    mutating func ask<Answer>(
        about field: FieldName?, displaced: TaggedWrite?, _ body: (inout RegisterMemory) -> Answer
    ) -> Answer {
        guard isWhole else {
            var memory = RegisterMemory(displaced: displaced)
            return body(&memory)
        }
        var register = registers[field].take() ?? Register()
        for item in items[register.taken...] where field.map(item.write.concerns) ?? true { register.memory.append(item) }
        register.taken = items.count
        defer { registers[field] = register }
        return body(&register.memory)
    }
}
