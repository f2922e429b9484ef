import SyncBytes
import SyncCoding
package import SyncModel

/// The lost edits that a store keeps for the app: what is needed of them in memory, to know at once which writes concern none.
///
/// A value: a transaction that fails leaves the list as it was before.
///
/// - Complexity: inserting is O(1) amortized, and so is looking at a write whose record has lost nothing; see ``observe(_:shown:_:)``.
package struct LostEditList: Sendable {
    private var edits: [DiscardedEdit: UInt64] = [:]
    private var entries: [UInt64: Entry] = [:]
    /// How many edits each field of a record has lost.
    private var fields: [RecordKey: [FieldName?: Int]] = [:]
    /// The edits by what a write would have to do to make them good.
    private var wishes: [Wish: Set<UInt64>] = [:]
    private var tally = Tally()
    /// The tally as the store holds it.
    private var known: [UInt8]?
    private var isRead = false
    /// The rows that the running transaction has changed, nil where it removes one, and how many edits it has pushed out.
    ///
    /// They are written at its end: of a mass of losses the store sees only what is left of them.
    private var unwritten: [UInt64: [UInt8]?] = [:]
    private var forgottenNow = 0
    /// No row has this number or a higher one but for those that are unwritten.
    private var written: UInt64 = 1

    private struct Entry {
        let edit: DiscardedEdit
        let wish: Wish
        let found: Int64
        let bytes: Int
        let isDismissed: Bool
    }

    /// A field set to a value; without a value, whatever concerns the field, and without a field, the record.
    private struct Wish: Hashable {
        let key: RecordKey
        var field: FieldName?
        var value: FieldValue?
    }

    /// What is counted beside the rows.
    private struct Tally: Equatable {
        /// The number of the next row.
        var next: UInt64 = 1
        /// No row has a lower number.
        var first: UInt64 = 1
        var bytes = 0
        /// How many edits were forgotten since the store was made.
        var forgotten: UInt64 = 0
        /// Rises with every change, so that another process notices it.
        var version: UInt64 = 0

        init() {}

        init(encoded bytes: [UInt8]) throws(CodingFailure) {
            var decoder = try StateDecoder(bytes)
            next = try decoder.number()
            first = try decoder.number()
            self.bytes = Int(clamping: try decoder.number())
            forgotten = try decoder.number()
            version = try decoder.number()
            try decoder.finish()
            guard first >= 1, first <= next, next < 1 << 62 else { throw CodingFailure("the lost edits are not numbered from 1") }
        }

        var encoded: [UInt8] {
            var encoder = StateEncoder()
            for number in [next, first, UInt64(clamping: bytes), forgotten, version] { encoder.append(number) }
            return encoder.bytes
        }
    }

    /// A list that knows nothing yet.
    package init() {}

    /// Whether nothing is kept.
    package var isEmpty: Bool { entries.isEmpty }

    /// Whether a record has lost edits.
    package func hasLost(_ key: RecordKey) -> Bool { fields[key] != nil }

    // MARK: Reading

    /// The edits that were neither made good nor dismissed, the latest first.
    package static func conflicts(limit: Int, _ rows: some LostEditRows) throws -> [Conflict] {
        var conflicts: [Conflict] = []
        var last: UInt64?
        while conflicts.count < limit, case let page = try rows.lostEditRows(before: last, limit: 100), !page.isEmpty {
            for row in page where conflicts.count < limit {
                let kept = try KeptLostEdit(encoded: row.content)
                if !kept.isDismissed { conflicts.append(kept.conflict) }
            }
            last = page.last?.number
        }
        return conflicts
    }

    /// Reads what the store keeps, where that is not known or another process has changed it.
    ///
    /// - Returns: Whether it had changed.
    package mutating func refresh(_ rows: some LostEditRows) throws -> Bool {
        let content = try rows.lostEditRow(0)
        if isRead, content == known { return false }
        let wasRead = isRead
        self = LostEditList()
        (known, isRead) = (content, true)
        guard let content else { return wasRead }
        tally = try Tally(encoded: content)
        var last: UInt64?
        while case let page = try rows.lostEditRows(before: last, limit: 100), !page.isEmpty {
            for row in page { insert(try KeptLostEdit(encoded: row.content), row.number, bytes: row.content.count) }
            last = page.last?.number
        }
        written = tally.next
        return wasRead
    }

    /// The edit that a conflict discarded, where it is kept: the conflict that tells of it, and the writes that it lost to.
    package func edit(discardedBy conflict: Conflict, _ rows: some LostEditRows) throws -> (conflict: Conflict, winners: [Dot])? {
        guard let number = edits[conflict.discardedEdit], let kept = try kept(number, rows) else { return nil }
        return (kept.conflict, kept.winners)
    }

    private func kept(_ number: UInt64, _ rows: some LostEditRows) throws -> KeptLostEdit? {
        let content = try unwritten[number] ?? rows.lostEditRow(number)
        return try content.map { try KeptLostEdit(encoded: $0) }
    }

    // MARK: Changing

    /// Puts the edit that a conflict discarded on the list; does nothing where none was, where the app has yet to decide, or where a write
    /// to the record could not bring it back.
    ///
    /// - Parameter milliseconds: The time of day.
    package mutating func insert(
        _ conflict: Conflict, at milliseconds: Int64, _ limits: LostEditLimits, _ rows: some LostEditRows
    ) throws {
        guard limits.count > 0, conflict.losesEdit, conflict.restoringOperation != nil else { return }
        if conflict.resolution == .manualPending { return }
        if let number = edits[conflict.discardedEdit] {
            guard var kept = try kept(number, rows) else { return }
            kept.insert(conflict)
            return replace(number, by: kept)
        }
        let kept = KeptLostEdit(conflict: conflict, found: milliseconds)
        let number = tally.next
        tally.next += 1
        set(number, kept)
        prune(at: milliseconds, limits)
    }

    /// Forgets what is over the limits, the oldest first.
    package mutating func prune(at milliseconds: Int64, _ limits: LostEditLimits) {
        let end = limits.end(of: milliseconds)
        while let (number, oldest) = first {
            let isOver = entries.count > max(0, limits.count) || tally.bytes > limits.bytes && entries.count > 1
            guard isOver || oldest.found < end else { return }
            if !oldest.isDismissed {
                tally.forgotten += 1
                forgottenNow += 1
            }
            remove(number)
        }
    }

    /// The oldest entry.
    private var first: (number: UInt64, entry: Entry)? {
        mutating get {
            while tally.first < tally.next {
                if let entry = entries[tally.first] { return (tally.first, entry) }
                tally.first += 1
            }
            return nil
        }
    }

    /// Takes off the list what a write has made good: its writer had merged both sides and wrote the value again, or the value is shown
    /// again after it.
    ///
    /// - Parameter shown: The write that a field of the record shows, or the record where the field is nil.
    /// - Complexity: O(1) where the record has lost nothing, else O(*f*) in the fields that it has lost edits of and those of the write.
    package mutating func observe(
        _ write: TaggedWrite, shown: (FieldName?) throws -> TaggedWrite?, _ rows: some LostEditRows
    ) throws {
        guard let fields = fields[write.key] else { return }
        var open = wishes[Wish(key: write.key)] ?? []
        for field in write.fields ?? FieldMap() where fields[field.name] != nil {
            open.formUnion(wishes[Wish(key: write.key, field: field.name, value: field.value)] ?? [])
        }
        for number in open.sorted() where try kept(number, rows)?.isRestored(by: write) ?? false { remove(number) }
        for field in fields.keys {
            guard let shown = try shown(field) else { continue }
            removeEdit(key: write.key, field, shown.dot)
            if let field, let value = shown.value(of: field) { removeEdits(key: write.key, field, value) }
        }
    }

    /// Takes the edits off the list that had given a field a value, which is shown again.
    package mutating func removeEdits(key: RecordKey, _ field: FieldName, _ value: FieldValue) {
        for number in wishes[Wish(key: key, field: field, value: value)] ?? [] { remove(number) }
    }

    /// Takes the edit off the list that a conflict discarded: it was made good.
    package mutating func remove(_ conflict: Conflict) {
        if let number = edits[conflict.discardedEdit] { remove(number) }
    }

    /// The fields of which a record has lost edits.
    package func fields(of key: RecordKey) -> [FieldName?] { fields[key].map { Array($0.keys) } ?? [] }

    /// Takes the deletes of a record off the list that were lost: it is deleted.
    package mutating func removeDeletes(of key: RecordKey, _ rows: some LostEditRows) throws {
        for number in wishes[Wish(key: key)] ?? [] where try kept(number, rows)?.conflict.loser.operation == .delete {
            remove(number)
        }
    }

    /// Takes an edit off the list that is shown again.
    private mutating func removeEdit(key: RecordKey, _ field: FieldName?, _ write: Dot) {
        for isProven in [true, false] {
            let edit = DiscardedEdit(key: key, field: field, write: write, isProven: isProven)
            if let number = edits[edit] { remove(number) }
        }
    }

    /// Has the app see no more of the edit that a conflict discarded.
    package mutating func dismiss(_ conflict: Conflict, _ rows: some LostEditRows) throws {
        guard let number = edits[conflict.discardedEdit], var kept = try kept(number, rows), !kept.isDismissed else { return }
        // Kept on, so that another conflict of the same edit does not bring it back.
        kept.isDismissed = true
        replace(number, by: kept)
    }

    /// Gives writes other names.
    ///
    /// - Complexity: O(*n*) in the edits kept.
    package mutating func rename(_ dot: (Dot) -> Dot, _ rows: some LostEditRows) throws {
        for number in entries.keys.sorted() {
            guard let kept = try kept(number, rows) else { continue }
            let before = kept.winners + [kept.conflict.loser.dot]
            if before.allSatisfy({ dot($0) == $0 }) { continue }
            replace(number, by: kept.renamed(dot))
        }
    }

    /// Writes out what has changed.
    ///
    /// - Returns: Whether the list has changed, and how many edits were pushed out.
    package mutating func finish(_ rows: some LostEditRowWriter) throws -> (hasChanged: Bool, forgotten: Int) {
        guard !unwritten.isEmpty else { return (false, 0) }
        for (number, content) in unwritten.sorted(by: { $0.key < $1.key }) {
            if let content { try rows.setLostEditRow(number, content) } else { try rows.removeLostEditRow(number) }
        }
        defer { (unwritten, written, forgottenNow) = ([:], tally.next, 0) }
        tally.version += 1
        let content = tally.encoded
        try rows.setLostEditRow(0, content)
        known = content
        return (true, forgottenNow)
    }

    private mutating func replace(_ number: UInt64, by kept: KeptLostEdit) {
        forget(number)
        set(number, kept)
    }

    private mutating func set(_ number: UInt64, _ kept: KeptLostEdit) {
        let content = kept.encoded
        unwritten[number] = .some(content)
        tally.bytes += content.count
        insert(kept, number, bytes: content.count)
    }

    private mutating func remove(_ number: UInt64) {
        forget(number)
        // What the store never had need not be removed.
        unwritten[number] = number < written ? .some(nil) : nil
    }

    // MARK: Memory

    private mutating func insert(_ kept: KeptLostEdit, _ number: UInt64, bytes: Int) {
        let conflict = kept.conflict
        var wish = Wish(key: conflict.key)
        if let field = conflict.field, conflict.loser.operation == .put {
            wish = Wish(key: conflict.key, field: field, value: conflict.loser.value)
        }
        entries[number] = Entry(edit: conflict.discardedEdit, wish: wish, found: kept.found, bytes: bytes, isDismissed: kept.isDismissed)
        edits[conflict.discardedEdit] = number
        fields[conflict.key, default: [:]][conflict.field, default: 0] += 1
        wishes[wish, default: []].insert(number)
    }

    private mutating func forget(_ number: UInt64) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        let edit = entry.edit
        tally.bytes -= entry.bytes
        edits[edit] = nil
        wishes[entry.wish]?.remove(number)
        if wishes[entry.wish]?.isEmpty == true { wishes[entry.wish] = nil }
        let left = (fields[edit.key]?[edit.field] ?? 1) - 1
        fields[edit.key]?[edit.field] = left > 0 ? left : nil
        if fields[edit.key]?.isEmpty == true { fields[edit.key] = nil }
    }
}
