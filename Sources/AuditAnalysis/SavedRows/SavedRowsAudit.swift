package import ConflictAudit
package import SyncMerge
package import SyncModel
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
        let type: RecordType
        /// What somebody states that its server keeps.
        var stated: Keeping?
        var fields: [FieldName: Int] = [:]
        var names: [FieldName] = []
        /// For each field the numbers of its different values, as far as they are counted, and that of the last row.
        var distinct: [Set<Int32>] = []
        var latest: [Int32] = []
        /// The names in the last row, for each its field's number, -1 where nobody edits it, and the greatest of these numbers and 1.
        var rowNames: [FieldName] = []
        var rowFields: [Int] = []
        var rowWidth = 0
        var count = 0

        /// Counts the different values of each field.
        mutating func count(_ numbers: [Int32]) {
            // A field that is empty in most rows is soon known.
            for (field, number) in numbers.enumerated() where number != 0 && number != latest[field] {
                latest[field] = number
                if distinct[field].count < mostCounted { distinct[field].insert(number) }
            }
        }

        /// Whether a value of each field says by itself which version it is of.
        ///
        /// Of a few rows nothing can be counted: there a switch is known by its values.
        func areDistinctive(_ values: [FieldValue]) -> [Bool] {
            let few = min(mostCounted - 1, max(3, count / 20))
            return distinct.map { numbers in
                count < 20 ? numbers.contains { values[Int($0)].isText } : numbers.count > few
            }
        }
    }

    private struct Entry {
        let key: RecordKey
        /// The index of its type.
        let type: Int
        var record = SavedRecord()
    }

    private let rules: AuditRules
    private let bookkeeping: BookkeepingFields
    private let stated: Keeping?

    private var authors: [DeviceID: Int] = [:]
    private var names: [DeviceID] = []
    private var types: [TypeRows] = []
    private var typeIndices: [RecordType: Int] = [:]
    /// The numbers of the values: 0 is that of none, and up to ``SavedRecord/lastEmpty`` they are those of empty fields.
    private var values: [FieldValue: Int32] = [.null: 1, "": SavedRecord.lastEmpty]
    private var valueTexts: [FieldValue] = [.null, .null, ""]
    private var entries: [Entry] = []
    private var entryIndices: [RecordKey: Int] = [:]
    private var hasBothClocks = false
    /// The indices of the types whose rows are what devices sent.
    private var sentTypes: Set<Int> = []

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
    ///   - line: Its line, or its number in the table, by which a finding is named.
    ///   - keeping: What somebody states that the table's server keeps, where nothing is stated of all.
    package mutating func observe(_ row: SavedRow, line: Int, keeping: Keeping? = nil) {
        let type = typeIndices[row.key.type] ?? types.count
        if type == types.count {
            typeIndices[row.key.type] = type
            types.append(TypeRows(type: row.key.type, stated: stated ?? keeping))
        }
        types[type].count += 1
        var version = SavedRecord.Version(line: line)
        (version.made, version.received, version.until, version.order) = (row.made, row.received, row.until, row.order)
        (version.name, version.base, version.isDelete) = (row.version, row.base, row.isDelete)
        version.author = row.author.map { number(of: $0) }
        let entry = entryIndices[row.key] ?? entries.count
        if entry == entries.count {
            entryIndices[row.key] = entry
            entries.append(Entry(key: row.key, type: type))
        }
        let last = entries[entry].record.lastNamed
        if !row.isDelete { version.named = numbers(of: row.fields, type, last: last) }
        version.before = row.before.map { numbers(of: $0, type, last: last) }
        entries[entry].record.append(version)
    }

    private mutating func number(of author: DeviceID) -> Int {
        if let number = authors[author] { return number }
        authors[author] = names.count
        names.append(author)
        return names.count - 1
    }

    /// The numbers of a row's values.
    ///
    /// - Parameter last: Those of the record's row before: a value that is still what it was is not looked up.
    private mutating func numbers(of map: FieldMap, _ type: Int, last: [Int32]) -> [Int32] {
        if !types[type].rowNames.isSame(as: map.sortedNames) { number(map.sortedNames, of: type) }
        let fields = types[type].rowFields
        var numbers = [Int32](repeating: 0, count: types[type].rowWidth)
        var position = 0
        map.forEachField { _, value in
            let field = fields[position]
            position += 1
            guard field >= 0 else { return }
            let known = field < last.count ? Int(last[field]) : 0
            numbers[field] = known > 0 && valueTexts[known] == value ? Int32(known) : number(of: value)
        }
        types[type].count(numbers)
        return numbers
    }

    /// Numbers the fields of rows with these names, as most rows of a type have the same.
    private mutating func number(_ names: [FieldName], of type: Int) {
        types[type].rowNames = names
        types[type].rowFields = names.map { name in
            if bookkeeping.contains(name, of: types[type].type) { return -1 }
            if let field = types[type].fields[name] { return field }
            let field = types[type].names.count
            types[type].fields[name] = field
            types[type].names.append(name)
            types[type].distinct.append([])
            types[type].latest.append(0)
            return field
        }
        types[type].rowWidth = (types[type].rowFields.max() ?? -1) + 1
    }

    private mutating func number(of value: FieldValue) -> Int32 {
        if value == .null { return 1 }
        if let number = values[value] { return number }
        let number = Int32(clamping: valueTexts.count)
        values[value] = number
        valueTexts.append(value)
        return number
    }

    /// Ends the audit.
    ///
    /// - Parameter threads: How many look at records at once.
    package mutating func finish(threads: Int = 1) -> Result {
        compareClocks()
        var readings = types.map { type in
            SavedRecord.Reading(
                tolerance: rules.clockToleranceMilliseconds, window: rules.windowMilliseconds,
                distinctive: type.areDistinctive(valueTexts), values: valueTexts)
        }
        let evidence = settle(readings, threads)
        for (index, evidence) in evidence.enumerated() { readings[index].keepsWholeRows = evidence.keeping != .mergedFields }
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
        result.conflicts.sort { ($0.line, $0.conflict.field ?? "") < ($1.line, $1.conflict.field ?? "") }
        for (conflict, _) in result.conflicts { result.statistics.record(conflict) }
        result.evidence = found.evidence.sorted { $0.type < $1.type }
        (result.records, result.authors, result.hasBothClocks) = (entries.count, names.count, hasBothClocks)
        result.statistics.recordWrites(result.rows, withContext: result.told)
        return result
    }

    /// What a record shows after its last row, once the audit has ended; nil where its rows do not tell what was kept.
    package func state(of key: RecordKey) -> SavedState? {
        guard let index = entryIndices[key], case let entry = entries[index], !sentTypes.contains(entry.type),
            let last = entry.record.versions.last
        else { return nil }
        let versions = last.isDelete ? entry.record.versions.dropLast() : entry.record.versions[...]
        let shown = versions.last?.shown ?? []
        var rows: [FieldName: Int] = [:]
        for field in shown.indices where shown[field] != 0 {
            let others = versions.lastIndex { entry.record.value($0.shown, field) != shown[field] }
            rows[types[entry.type].names[field]] = versions[others.map { $0 + 1 } ?? versions.startIndex].line
        }
        return SavedState(fields: map(shown, entry.type), isRemoved: last.isDelete, version: last.name, rows: rows, row: last.line)
    }

    /// The versions between which a loss that was found happened, in their order; none where it is not of these rows.
    package func versions(of loss: Conflict) -> [SavedVersion] {
        guard let told = loss.versions, let index = entryIndices[loss.key],
            case let (entry, versions) = (entries[index], entries[index].record.versions),
            // A version that is missing, and a delete that an end tells, have the line of another.
            let save = versions.lastIndex(where: {
                $0.line == told.rows.save && !$0.isMissing && $0.isDelete == (loss.winner.operation == .delete)
            }), save > 0,
            let lost = versions[..<save].lastIndex(where: { $0.line == told.rows.lost && !$0.isMissing && !$0.isDelete })
        else { return [] }
        func version(_ role: SavedVersion.Role, _ index: Int) -> SavedVersion {
            let version = versions[index]
            return SavedVersion(
                role: role, name: name(version), author: version.author.map { names[$0] }, milliseconds: version.made ?? version.received,
                fields: version.isDelete ? nil : map(version.shown, entry.type))
        }
        let base = versions[..<lost].lastIndex { name($0) == told.base }.map { version(.base, $0) }
        return (base.map { [$0] } ?? []) + [version(.lost, lost)] + (lost == save - 1 ? [] : [version(.current, save - 1)])
            + [version(.save, save)]
    }

    /// The fields of what is shown.
    private func map(_ shown: [Int32], _ type: Int) -> FieldMap {
        var fields: FieldMap = [:]
        for field in shown.indices {
            if let value = value(shown, field) { fields[types[type].names[field]] = value }
        }
        return fields
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

    /// Puts the rows of each record in order, and says what those of each type tell of its server, or somebody states.
    private mutating func settle(_ readings: [SavedRecord.Reading], _ threads: Int) -> [TypeEvidence] {
        let hasCurrent = entries.contains { $0.record.versions.contains { $0.until == nil } }
        let unsent = SentEvidence(mayBeSent: types.contains { $0.stated == nil })
        let parts = inParts(threads) { entries in
            var told = [(keeping: SavedRecord.Keeping, sent: SentEvidence)](
                repeating: (SavedRecord.Keeping(), unsent), count: readings.count)
            for index in entries.indices {
                entries[index].record.settle(endsTellDeletes: hasCurrent)
                let (record, type) = (entries[index].record, entries[index].type)
                told[type].keeping.add(record.keeping(readings[type]))
                told[type].sent.add(record, readings[type])
            }
            return told
        }
        return types.indices.map { index in
            let count = parts.reduce(into: SavedRecord.Keeping()) { $0.add($1[index].keeping) }
            let sent = parts.reduce(into: unsent) { $0.add($1[index].sent) }
            let told: Keeping = count.kept > count.putBack + count.cameBack ? .mergedFields : .wholeRows
            let stated = types[index].stated
            return TypeEvidence(
                type: types[index].type, keeping: stated ?? (sent.isSent ? .laterEdits : told), putBack: count.putBack,
                kept: count.kept, cameBack: count.cameBack, isStated: stated != nil)
        }
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
                var (other, ignored) = (readings[entry.type], 0)
                other.keepsWholeRows.toggle()
                found.evidence[entry.type].lossesOtherwise += entry.record.losses(other, &ignored).count
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
            guard record.versions.allSatisfy({ $0.isTimed && !$0.isOfVersions }) else {
                mayBeSent = false
                return
            }
            let sent = record.sent(reading)
            difference += sent.keptDifferences - sent.mergedDifferences
            for (one, next) in zip(record.versions, record.versions.dropFirst()) where one.received != next.received {
                if one.line < next.line { isFalling = false } else { isRising = false }
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
            for (version, edits) in zip(entry.record.versions, entry.record.sent(readings[entry.type]).edits) {
                guard let author = version.author, let received = version.received, version.isDelete || !edits.isEmpty else { continue }
                var map: FieldMap = [:]
                for field in edits { map[types[entry.type].names[field]] = value(version.shown, field) }
                let write = TaggedWrite(
                    dot: Dot(device: names[author], sequence: version.number),
                    timestamp: HybridTimestamp(milliseconds: version.madeForServer ?? version.made ?? received), key: entry.key,
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
        result.missing += record.versions.count(where: \.isMissing)
        result.ends += record.versions.count(where: \.isEnd)
        result.unsigned += record.versions.count { $0.author == nil && !$0.isMissing && !$0.isEnd }
        let rows = record.versions.indices.filter { record.versions[$0].author != nil }
        if rows.count > 1 { result.repeatedRecords += 1 }
        result.saves += max(0, rows.count - 1)
        result.told += rows.dropFirst().count { record.versions[$0].told != nil }
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
        var all = [[(received: Int64, line: Int, record: Int, version: Int)]](repeating: [], count: names.count)
        for (record, entry) in entries.enumerated() {
            for index in entry.record.versions.indices {
                guard let author = entry.record.versions[index].author else { continue }
                let (made, received) = entry.record.times(index)
                all[author].append((received ?? made ?? 0, entry.record.versions[index].line, record, index))
            }
        }
        var ofAuthor = [[(received: Int64, made: Int64, record: Int, version: Int)]](repeating: [], count: names.count)
        for author in all.indices {
            all[author].sort { ($0.received, $0.line) < ($1.received, $1.line) }
            for (number, save) in all[author].enumerated() {
                entries[save.record].record.number(save.version, UInt64(number + 1))
                let (made, received) = entries[save.record].record.times(save.version)
                guard let made, let received else { continue }
                hasBothClocks = true
                ofAuthor[author].append((received, made, save.record, save.version))
            }
        }
        for uploads in ofAuthor {
            let uploads = uploads.sorted { ($0.received, $0.made) < ($1.received, $1.made) }
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
                if !overflows { entries[upload.record].record.setMadeForServer(upload.version, time) }
            }
        }
    }

    private func conflict(_ loss: SavedRecord.Loss, _ entry: Entry) -> Conflict? {
        let (key, record, field) = (entry.key, entry.record, types[entry.type].names[loss.field])
        let (save, lost) = (record.versions[loss.save], record.versions[loss.lost])
        guard let winner = side(save, loss.field), let loser = side(lost, loss.field) else { return nil }
        let gap = winner.timestamp.milliseconds.distance(after: loser.timestamp.milliseconds)
        let magnitude = Int64(clamping: gap.magnitude)
        let basis: Conflict.Basis =
            switch loss.evidence {
            case .told: .causal
            case .arrival: .arrival
            case .content: .content
            case .window: .window
            }
        let base = record.versions[loss.base]
        var flags = Conflict.Flags()
        flags[.withinWindow] = magnitude <= rules.windowMilliseconds
        flags[.stale] = loss.isPutBack
        flags[.cleared] = winner.operation == .put && winner.value == .null
        var conflict = Conflict(
            id: ConflictID(key: key, field: field, dots: (winner.dot, loser.dot)), kind: save.isDelete ? .deleteUpdate : .updateUpdate,
            severity: save.isDelete ? .destructive : .lossy, basis: basis, key: key, field: field, related: nil, winner: winner,
            loser: loser, writtenAncestor: value(base.shown, loss.field).map(WrittenValue.init), result: nil, gapMilliseconds: magnitude,
            windowMilliseconds: rules.windowMilliseconds, policy: Self.policy, resolution: .applyRemote, reason: .policy, flags: flags)
        conflict.versions = SavedVersions(
            save: name(save), lost: name(lost), base: name(base), shown: name(record.versions[loss.save - 1]),
            rows: SavedVersions.Rows(save: save.line, lost: lost.line))
        return conflict
    }

    private func name(_ version: SavedRecord.Version) -> String { version.name ?? "in row \(version.line)" }

    private func side(_ version: SavedRecord.Version, _ field: Int) -> Conflict.Side? {
        // Of a removed record some tables keep nothing that tells by whom.
        guard version.author != nil || version.isDelete else { return nil }
        let dot = version.author.map { Dot(device: names[$0], sequence: version.number) }
        return Conflict.Side(
            dot: dot ?? Dot(device: Self.unknownAuthor, sequence: UInt64(max(1, version.line))),
            timestamp: HybridTimestamp(milliseconds: version.made ?? version.received ?? 0),
            operation: version.isDelete ? .delete : .put, value: version.isDelete ? nil : value(version.shown, field))
    }

    private func value(_ shown: [Int32], _ field: Int) -> FieldValue? {
        guard field < shown.count, shown[field] != 0 else { return nil }
        return valueTexts[Int(shown[field])]
    }
}

extension FieldValue {
    /// Whether it is another value but for what was put in or taken out once: of a text at least eight bytes stayed, of a list one
    /// element came or went.
    func grows(from old: FieldValue) -> Bool {
        switch (self, old) {
        case (.string(let new), .string(let old)):
            let (new, old) = (Array(new.utf8), Array(old.utf8))
            let kept = new.commonEnds(with: old)
            return kept >= 8 && kept >= Swift.min(new.count, old.count)
        case (.array(let new), .array(let old)):
            let kept = new.commonEnds(with: old)
            return kept >= 1 && abs(new.count - old.count) == 1 && kept >= Swift.min(new.count, old.count)
        default: return false
        }
    }

    /// Whether it is no switch: neither nothing nor true or false.
    fileprivate var isText: Bool {
        switch self {
        case .null, .bool: false
        default: true
        }
    }
}

extension Array where Element: Equatable {
    /// How many elements two have in common at their beginning and, of the rest, at their end.
    fileprivate func commonEnds(with other: [Element]) -> Int {
        let shorter = Swift.min(count, other.count)
        var start = 0
        while start < shorter, self[start] == other[start] { start += 1 }
        var end = 0
        while end < shorter - start, self[count - 1 - end] == other[other.count - 1 - end] { end += 1 }
        return start + end
    }
}
