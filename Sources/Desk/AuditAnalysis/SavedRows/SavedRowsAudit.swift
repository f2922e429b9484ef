package import ConflictAudit
package import SyncMerge
import SyncModel
import SyncSystem

/// Finds the edits that saves took away, in the rows of a table that remembers what was saved.
///
/// ```swift
/// var audit = SavedRowsAudit()
/// for (line, row) in rows.enumerated() { audit.observe(row, line: line) }
/// let found = audit.finish()
/// ```
///
/// - Complexity: linear in the rows and their fields, and see ``SavedRecord``. All rows are held, of each different value one. A value; its
///   owner guards it.
package struct SavedRowsAudit: Sendable {
    /// What is named as the policy where nobody decides again: the server's rows show what it kept.
    package static let policy = "savedRow"

    /// The rows of one type.
    private struct TypeRows {
        /// What somebody states that its server keeps.
        var stated: Keeping?
        /// For each field the numbers of its different values, as far as they are counted, and that of the last row.
        var distinct: [FewNumbers] = []
        var latest: [Int32] = []
        /// How many fields there are, and the numbers of those that nobody edits.
        var fields = 0
        var bookkeeping: [Int] = []
        var count = 0

        /// Puts the values of a row behind those of others, but for what nobody edits, and counts the different ones of each field.
        mutating func take(_ numbers: [Int32], into values: inout [Int32]) {
            let start = values.count
            values += numbers
            for field in bookkeeping where field < numbers.count { values[start + field] = SavedRowNumbers.none }
            if numbers.count > latest.count {
                latest += repeatElement(SavedRowNumbers.none, count: numbers.count - latest.count)
                distinct += repeatElement(FewNumbers(most: mostCounted), count: numbers.count - distinct.count)
            }
            // A field that is empty in most rows is soon known.
            for field in numbers.indices {
                let number = values[start + field]
                if number != SavedRowNumbers.none, number != latest[field] {
                    latest[field] = number
                    distinct[field].insert(number)
                }
            }
        }

        /// Whether a value of each field says by itself which version it is of.
        ///
        /// Of a few rows nothing can be counted: there a switch is known by its values.
        func areDistinctive(_ values: SavedRowNumbers) -> [Bool] {
            let few = min(mostCounted - 1, max(3, count / 20))
            return (0..<fields).map { field in
                guard field < distinct.count else { return false }
                let numbers = distinct[field]
                return count < 20 ? numbers.contains { values.value($0).isText } : numbers.count > few
            }
        }
    }

    /// A row, until the audit ends.
    private struct Row: BitwiseCopyable {
        var version: SavedRecord.Version
        /// The index of its record.
        let entry: Int32
        /// Where its values begin among those of all rows, and how many it names; those of the row before follow.
        let start: Int
        let named: Int32
        let before: Int32

        var namedRange: Range<Int> { start..<start + Int(named) }
        var beforeRange: Range<Int> { start + Int(named)..<start + Int(named) + Int(before) }
    }

    /// A record.
    struct Entry {
        /// Its index among all, and the numbers of the record and of its type.
        let index: Int
        let number: Int
        let type: Int
        /// Its rows, once all have come.
        var record = SavedRecord(width: 0, capacity: 0, hasBefore: false)
    }

    private let rules: AuditRules
    private let bookkeeping: BookkeepingFields
    private let stated: Keeping?

    /// The numbers of what the rows name, by which they are observed.
    package var numbers = SavedRowNumbers()
    private var types: [TypeRows] = []
    /// The rows in the order of their coming, and the numbers of their values, until the audit ends.
    private var rows: [Row] = []
    private var values: [Int32] = []
    private(set) var entries: [Entry] = []
    /// The index of each record among them by its number, -1 where it has no row.
    private(set) var entryIndices: [Int32] = []
    private var hasBothClocks = false
    /// The indices of the types whose rows are what devices sent.
    private(set) var sentTypes: Set<Int> = []

    /// Who removed a record, where the table does not tell.
    private static let unknownAuthor: DeviceID = "unknown"

    /// How many rows are too few to tell anything by what they repeat.
    private static let fewRows = 200

    /// How many different values make a field one of many.
    private static let mostCounted = 256

    /// Prepares an audit.
    ///
    /// - Parameters:
    ///   - rules: The window, which labels what is found, and the tolerance, by how much clocks may differ.
    ///   - bookkeeping: Fields that nobody edits; they are not looked at.
    ///   - keeping: What the server keeps; nil to let the rows tell.
    package init(rules: AuditRules = AuditRules(), bookkeeping: BookkeepingFields = BookkeepingFields(), keeping: Keeping? = nil) {
        (self.rules, self.bookkeeping, stated) = (rules, bookkeeping, keeping)
    }

    /// Takes the next row.
    ///
    /// - Parameters:
    ///   - row: The row by its ``numbers``.
    ///   - line: Its line, or its number in the table, by which a finding is named.
    ///   - keeping: What somebody states that the table's server keeps, where nothing is stated of all.
    package mutating func observe(_ row: borrowing NumberedRow, line: Int, keeping: Keeping? = nil) {
        while types.count <= row.type { types.append(TypeRows(stated: stated ?? keeping)) }
        if types[row.type].fields < numbers.fieldCount(ofType: row.type) { findBookkeeping(ofType: row.type) }
        types[row.type].count += 1
        if entryIndices.count <= row.record { entryIndices += repeatElement(-1, count: row.record + 1 - entryIndices.count) }
        if entryIndices[row.record] < 0 {
            entryIndices[row.record] = Int32(clamping: entries.count)
            entries.append(Entry(index: entries.count, number: row.record, type: row.type))
        }
        let start = values.count
        types[row.type].take(row.fields, into: &values)
        if let before = row.before { types[row.type].take(before, into: &values) }
        rows.append(
            Row(
                version: SavedRecord.Version(row, line: line), entry: entryIndices[row.record], start: start,
                named: Int32(clamping: row.fields.count), before: Int32(clamping: values.count - start - row.fields.count)))
    }

    /// Takes the next row, and numbers what it names.
    package mutating func observe(_ row: SavedRow, line: Int, keeping: Keeping? = nil) {
        observe(numbers.number(row), line: line, keeping: keeping)
    }

    private mutating func findBookkeeping(ofType type: Int) {
        let fields = numbers.types[type]
        for field in types[type].fields..<fields.names.count where bookkeeping.contains(fields.names[field], of: fields.type) {
            types[type].bookkeeping.append(field)
        }
        types[type].fields = fields.names.count
    }

    /// Ends the audit.
    ///
    /// - Parameter threads: How many look at records at once.
    package mutating func finish(threads: Int = 1) -> Result {
        compareClocks()
        var readings = types.map { type in
            SavedRecord.Reading(
                tolerance: rules.clockToleranceMilliseconds, window: rules.windowMilliseconds,
                distinctive: type.areDistinctive(numbers), numbers: numbers)
        }
        let evidence = settle(readings, threads)
        readings = zip(readings, evidence).map { $0.keeping(wholeRows: $1.keeping != .mergedFields) }
        sentTypes = Set(evidence.indices.filter { evidence[$0].keeping == .laterEdits })
        var found = Found(evidence: evidence)
        for part in losses(readings, evidence, threads) { found.add(part) }
        mergeSentRows(readings, &found)
        var result = found.result
        result.untimed = entries.reduce(0) { count, entry in
            types[entry.type].stated == .laterEdits ? count + entry.record.versions.count { !$0.isTimed } : count
        }
        result.rows = types.reduce(0) { $0 + $1.count }
        if result.conflicts.isEmpty, result.told == 0, result.rows <= Self.fewRows { result.conflicts = found.close }
        result.conflicts = result.conflicts.sortedByLine
        for (conflict, _) in result.conflicts { result.statistics.record(conflict) }
        result.evidence = zip(found.evidence, types).filter { $1.count > 0 }.map(\.0).sorted { $0.type < $1.type }
        (result.records, result.authors, result.hasBothClocks) = (entries.count, numbers.authors.count, hasBothClocks)
        result.statistics.recordWrites(result.rows, withContext: result.told)
        return result
    }

    /// Calls a function on parts of the records, each on a thread of its own.
    ///
    /// - Returns: What it returns of each part, in the records' order.
    private mutating func inParts<Part: Sendable>(_ threads: Int, _ body: @Sendable (inout [Entry]) -> Part) -> [Part] {
        let size = max(Self.fewRecords, entries.count / threads + 1)
        let parts = stride(from: 0, to: entries.count, by: size).map { Locked(Array(entries[$0..<min($0 + size, entries.count)])) }
        // Held once, so that a record is changed and not copied.
        entries = []
        let results = inParallel(parts, count: parts.count) { part, _ in body(&part) }
        for part in parts { part.withLock { entries += $0 } }
        return results
    }

    /// How many records one thread looks at as fast as several.
    private static let fewRecords = 1000

    /// The indices of the rows, record by record, and of each record where its own end.
    private func rowsByRecord() -> (order: [Int32], ends: [Int]) {
        // Where the rows of each record begin, and then where they end.
        var offsets = [Int](repeating: 0, count: entries.count + 1)
        for row in rows { offsets[Int(row.entry) + 1] += 1 }
        for index in entries.indices { offsets[index + 1] += offsets[index] }
        var order = [Int32](repeating: 0, count: rows.count)
        for (index, row) in rows.enumerated() {
            order[offsets[Int(row.entry)]] = Int32(clamping: index)
            offsets[Int(row.entry)] += 1
        }
        return (order, offsets)
    }

    /// Gives each record its rows in order, and says what those of each type tell of its server, or somebody states.
    private mutating func settle(_ readings: [SavedRecord.Reading], _ threads: Int) -> [TypeEvidence] {
        let hasCurrent = rows.contains { $0.version.until == nil }
        let unsent = SentEvidence(mayBeSent: types.contains { $0.stated == nil })
        let (order, ends) = rowsByRecord()
        let (rows, values, numbers) = (rows, values, numbers)
        (self.rows, self.values) = ([], [])
        let parts = inParts(threads) { entries in
            var told = [(keeping: SavedRecord.Keeping, sent: SentEvidence)](
                repeating: (SavedRecord.Keeping(), unsent), count: readings.count)
            for index in entries.indices {
                let (entry, type) = (entries[index].index, entries[index].type)
                var record = Self.record(order[(entry == 0 ? 0 : ends[entry - 1])..<ends[entry]], rows, values)
                record.settle(endsTellDeletes: hasCurrent, numbers)
                told[type].keeping.add(record.keeping(readings[type]))
                told[type].sent.add(record, readings[type])
                entries[index].record = record
            }
            return told
        }
        return types.indices.map { index in
            let count = parts.reduce(into: SavedRecord.Keeping()) { $0.add($1[index].keeping) }
            let sent = parts.reduce(into: unsent) { $0.add($1[index].sent) }
            let told: Keeping = count.kept > count.putBack + count.cameBack ? .mergedFields : .wholeRows
            let stated = types[index].stated
            return TypeEvidence(
                type: numbers.types[index].type, keeping: stated ?? (sent.isSent ? .laterEdits : told), putBack: count.putBack,
                kept: count.kept, cameBack: count.cameBack, isStated: stated != nil)
        }
    }

    /// The record of some rows.
    private static func record(_ indices: ArraySlice<Int32>, _ rows: [Row], _ values: [Int32]) -> SavedRecord {
        var (width, hasBefore) = (0, false)
        for index in indices {
            width = max(width, Int(max(rows[Int(index)].named, rows[Int(index)].before)))
            if rows[Int(index)].version.hasBefore { hasBefore = true }
        }
        var record = SavedRecord(width: width, capacity: indices.count, hasBefore: hasBefore)
        for index in indices {
            let row = rows[Int(index)]
            record.append(row.version, named: values[row.namedRange], before: values[row.beforeRange])
        }
        return record
    }

    /// What was found in some of the records.
    private struct Found: Sendable {
        /// The losses and the counts of rows.
        var result = Result()
        /// Losses that are suspected because two saves are close: of few rows that tell nothing better they are said; of many, two in three
        /// such suspicions are wrong.
        var close: [(conflict: Conflict, line: Int)] = []
        /// How many losses there are of each type.
        var evidence: [TypeEvidence]

        init(evidence: [TypeEvidence]) { self.evidence = evidence }

        mutating func add(_ other: Found) {
            result.add(other.result)
            close += other.close
            for index in evidence.indices {
                evidence[index].losses += other.evidence[index].losses
                evidence[index].lossesOtherwise += other.evidence[index].lossesOtherwise
            }
        }
    }

    /// What saves took away, in parts.
    private mutating func losses(_ readings: [SavedRecord.Reading], _ evidence: [TypeEvidence], _ threads: Int) -> [Found] {
        let audit = self
        let others = readings.map { $0.keeping(wholeRows: !$0.keepsWholeRows) }
        return inParts(threads) { entries in
            var found = Found(evidence: evidence)
            for entry in entries {
                audit.count(entry.record, &found.result)
                if evidence[entry.type].keeping == .laterEdits { continue }
                for loss in entry.record.losses(readings[entry.type], &found.result.staleSaves) {
                    guard let conflict = audit.conflict(loss, entry) else { continue }
                    let line = entry.record.versions[loss.save].line
                    if loss.evidence == .window {
                        found.close.append((conflict, line))
                    } else {
                        found.result.conflicts.append((conflict, line))
                        found.evidence[entry.type].losses += 1
                    }
                }
                guard evidence[entry.type].isUndecided else { continue }
                var ignored = 0
                found.evidence[entry.type].lossesOtherwise += entry.record.losses(others[entry.type], &ignored).count
            }
            return found
        }
    }

    /// What the rows of a type tell of whether they were kept or only sent.
    private struct SentEvidence {
        /// In how many fields more the rows differ from what was kept than from what all make together.
        var difference = 0
        /// Whether all have both times, and none names a version or its base: a server that counts versions keeps them.
        var mayBeSent = true
        /// Whether the rows of each record are there in the order in which the server had them, or in the reverse.
        var isRising = true
        var isFalling = true

        /// A server that remembers what it kept does so in its own order, and one row may have been typed again.
        var isSent: Bool { mayBeSent && (difference >= 2 || difference >= 0 && !isRising && !isFalling) }

        /// Adds whether a record's rows go on from what all of them make together, and not from what each of them showed.
        mutating func add(_ record: SavedRecord, _ reading: SavedRecord.Reading) {
            guard mayBeSent else { return }
            guard record.versions.indices.allSatisfy({ record.versions[$0].isTimed && !record.versions[$0].isOfVersions }) else {
                mayBeSent = false
                return
            }
            let sent = record.sent(reading)
            difference += sent.keptDifferences - sent.mergedDifferences
            for index in record.versions.indices.dropFirst() where record.versions[index - 1].received != record.versions[index].received {
                if record.versions[index - 1].line < record.versions[index].line { isFalling = false } else { isRising = false }
            }
        }

        mutating func add(_ other: SentEvidence) {
            difference += other.difference
            mayBeSent = mayBeSent && other.mayBeSent
            isRising = isRising && other.isRising
            isFalling = isFalling && other.isFalling
        }
    }

    /// Merges the rows that devices sent as their server does, by the later edit.
    private func mergeSentRows(_ readings: [SavedRecord.Reading], _ found: inout Found) {
        var rows: [(received: Int64, line: Int, type: Int, write: TaggedWrite)] = []
        for entry in entries where sentTypes.contains(entry.type) {
            for (index, edits) in entry.record.sent(readings[entry.type]).edits.enumerated() {
                let version = entry.record.versions[index]
                guard let author = version.author, let received = version.received, version.isDelete || !edits.isEmpty else { continue }
                var map: FieldMap = [:]
                for field in edits { map[numbers.types[entry.type].names[field]] = value(entry, index, field) }
                let write = TaggedWrite(
                    dot: Dot(device: numbers.authors[author], sequence: version.number),
                    timestamp: HybridTimestamp(milliseconds: version.madeForServer ?? version.made ?? received),
                    key: numbers.records[entry.number],
                    operation: version.isDelete ? .delete : .put(map), seen: nil,
                    receipt: TaggedWrite.Receipt(milliseconds: received, hubSequence: nil))
                rows.append((received, version.line, entry.type, write))
            }
        }
        rows.sort { ($0.received, $0.line) < ($1.received, $1.line) }
        var auditor = TraceAuditor(mergeRules: MergeRules(bookkeeping: bookkeeping), auditRules: rules)
        for row in rows {
            for conflict in auditor.observe(row.write) where conflict.losesEdit {
                found.result.conflicts.append((conflict, row.line))
                found.evidence[row.type].losses += 1
            }
        }
    }

    private func count(_ record: SavedRecord, _ result: inout Result) {
        var saves = 0
        for index in record.versions.indices {
            if record.versions[index].isMissing {
                result.missing += 1
            } else if record.versions[index].isEnd {
                result.ends += 1
            } else if record.versions[index].author == nil {
                result.unsigned += 1
            } else {
                saves += 1
                if saves > 1, record.versions[index].told != nil { result.told += 1 }
            }
        }
        if saves > 1 { result.repeatedRecords += 1 }
        result.saves += max(0, saves - 1)
    }

    /// Whether an upload so long after its edit, in milliseconds, tells of a device that was offline and not of a clock that is off.
    ///
    /// Clocks were up to a quarter of an hour off in the tables that the rules were tried on; a whole number of hours is a time zone.
    private static func isOffline(_ delay: Int64) -> Bool {
        let (hour, minute): (Int64, Int64) = (3_600_000, 60_000)
        return delay > 20 * minute && !(delay < 15 * hour && (delay + 2 * minute) % hour <= 4 * minute)
    }

    /// How many saves of an author before or after one tell how far his clock was off then.
    private static let neighbours = 16

    /// Numbers each author's saves in the order in which the server had them, and tells by his fastest uploads when each edit was made by
    /// the server's clock.
    private mutating func compareClocks() {
        var all = [[Int]](repeating: [], count: numbers.authors.count)
        for index in rows.indices { if let author = rows[index].version.author { all[author].append(index) } }
        let hasOrder = rows.allSatisfy { $0.version.order != nil }
        for saves in all {
            let saves = sorted(saves) {
                (hasOrder ? rows[$0].version.order : nil) ?? rows[$0].version.received ?? rows[$0].version.made ?? 0
            }
            var uploads: [(made: Int64, received: Int64, row: Int)] = []
            for (number, row) in saves.enumerated() {
                rows[row].version.number = UInt64(number + 1)
                if let made = rows[row].version.made, let received = rows[row].version.received { uploads.append((made, received, row)) }
            }
            if uploads.isEmpty { continue }
            hasBothClocks = true
            if uploads.indices.dropFirst().contains(where: {
                (uploads[$0].received, uploads[$0].made) < (uploads[$0 - 1].received, uploads[$0 - 1].made)
            }) {
                uploads.sort { ($0.received, $0.made) < ($1.received, $1.made) }
            }
            let delays = uploads.map { $0.received.distance(after: $0.made) }
            for (index, upload) in uploads.enumerated() {
                // A clock that was set makes one side lie: what both sides say at least is believed, of sides with some uploads.
                let before = delays[max(0, index - Self.neighbours)...index]
                let after = delays[index..<min(delays.count, index + Self.neighbours + 1)]
                let telling = (before.count > 2 ? before.min() : nil, after.count > 2 ? after.min() : nil)
                var fastest = max(telling.0 ?? .min, telling.1 ?? .min)
                let tells = telling.0 != nil || telling.1 != nil
                if !tells { fastest = min(before.min() ?? 0, after.min() ?? 0) }
                // Of one or two uploads, or later than a clock is likely to be off, who is late was offline.
                if !tells || Self.isOffline(fastest) { fastest = min(fastest, 0) }
                let (time, overflows) = upload.made.addingReportingOverflow(fastest)
                if !overflows { rows[upload.row].version.madeForServer = time }
            }
        }
    }

    /// Rows in the order of a time, of two with one those of the lower line first; most are in order.
    private func sorted(_ indices: [Int], by time: (Int) -> Int64) -> [Int] {
        func precedes(_ one: Int, _ other: Int) -> Bool { (time(one), rows[one].version.line) < (time(other), rows[other].version.line) }
        if zip(indices, indices.dropFirst()).allSatisfy({ !precedes($1, $0) }) { return indices }
        return indices.sorted(by: precedes)
    }

    private func conflict(_ loss: SavedRecord.Loss, _ entry: Entry) -> Conflict? {
        let (key, field) = (numbers.records[entry.number], numbers.types[entry.type].names[loss.field])
        let (save, lost) = (entry.record.versions[loss.save], entry.record.versions[loss.lost])
        guard let winner = side(entry, loss.save, loss.field), let loser = side(entry, loss.lost, loss.field) else { return nil }
        let gap = winner.timestamp.milliseconds.distance(after: loser.timestamp.milliseconds)
        let magnitude = Int64(clamping: gap.magnitude)
        let basis: Conflict.Basis =
            switch loss.evidence {
            case .told: .causal
            case .arrival: .arrival
            case .content: .content
            case .window: .window
            }
        let base = entry.record.versions[loss.base]
        var flags = Conflict.Flags()
        flags[.withinWindow] = magnitude <= rules.windowMilliseconds
        flags[.stale] = loss.isPutBack
        flags[.cleared] = winner.operation == .put && winner.value == .null
        var conflict = Conflict(
            id: ConflictID(key: key, field: field, dots: (winner.dot, loser.dot)), kind: save.isDelete ? .deleteUpdate : .updateUpdate,
            severity: save.isDelete ? .destructive : .lossy, basis: basis, key: key, field: field, related: nil, winner: winner,
            loser: loser, writtenAncestor: value(entry, loss.base, loss.field).map(WrittenValue.init), result: nil,
            gapMilliseconds: magnitude, windowMilliseconds: rules.windowMilliseconds, policy: Self.policy, resolution: .applyRemote,
            reason: .policy, flags: flags)
        conflict.versions = SavedVersions(
            save: name(save), lost: name(lost), base: name(base), shown: name(entry.record.versions[loss.save - 1]),
            rows: SavedVersions.Rows(save: save.line, lost: lost.line))
        conflict.name = recordName(entry, after: loss.save)
        return conflict
    }

    /// What the record is called once a save was made; where that removes it or its name, what it was called before.
    private func recordName(_ entry: Entry, after save: Int) -> RecordName? {
        for name in rules.displayFields(of: numbers.types[entry.type].type) {
            guard let field = numbers.types[entry.type].names.firstIndex(of: name) else { continue }
            for version in [save, save - 1] where version >= 0 {
                if let name = RecordName(field: name, value: value(entry, version, field)) { return name }
            }
        }
        return nil
    }

    /// What a version is called: its name, else its row.
    func name(_ version: SavedRecord.Version) -> String { version.name.map(numbers.text) ?? "in row \(version.line)" }

    private func side(_ entry: Entry, _ index: Int, _ field: Int) -> Conflict.Side? {
        let version = entry.record.versions[index]
        // Of a removed record some tables keep nothing that tells by whom.
        guard version.author != nil || version.isDelete else { return nil }
        return Conflict.Side(
            dot: dot(of: version),
            timestamp: HybridTimestamp(milliseconds: version.made ?? version.received ?? 0),
            operation: version.isDelete ? .delete : .put, value: version.isDelete ? nil : value(entry, index, field))
    }

    /// The name of a version as a write: its author and which of his saves it is.
    func dot(of version: SavedRecord.Version) -> Dot {
        version.author.map { Dot(device: numbers.authors[$0], sequence: version.number) }
            ?? Dot(device: Self.unknownAuthor, sequence: UInt64(max(1, version.line)))
    }

    private func value(_ entry: Entry, _ version: Int, _ field: Int) -> FieldValue? {
        let number = entry.record.shown[version, field]
        return number == SavedRowNumbers.none ? nil : numbers.value(number)
    }
}

extension FieldValue {
    /// Whether it is no switch: neither nothing nor true or false.
    fileprivate var isText: Bool {
        switch self {
        case .null, .bool: false
        default: true
        }
    }
}

extension [(conflict: Conflict, line: Int)] {
    /// The conflicts in the order of their lines, of one line in that of their fields.
    fileprivate var sortedByLine: Self {
        // A conflict is large: each is moved once.
        indices.sorted { one, other in
            let (left, right) = (self[one].line, self[other].line)
            return left == right ? (self[one].conflict.field ?? "") < (self[other].conflict.field ?? "") : left < right
        }.map { self[$0] }
    }
}
