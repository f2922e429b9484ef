package import ConflictAudit
package import SyncMerge
package import SyncModel

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
package struct SavedRowsAudit {
    /// What is named as the policy where nobody decides again: the server's rows show what it kept.
    package static let policy = "savedRow"

    /// What a server keeps of a save that does not know another's edit of another field.
    package enum Keeping: String, CaseIterable, Sendable {
        /// The row as it came: the other's edit is put back.
        case wholeRows = "whole"
        /// The edited fields, merged into what is there.
        case mergedFields = "merged"
        /// The later edit of each field: the rows are what devices sent, and not what was kept.
        case laterEdits = "sent"
    }

    /// What the rows of a type tell of its server.
    package struct TypeEvidence: Sendable {
        package let type: RecordType
        /// What was decided, or stated.
        package let keeping: Keeping
        /// How many edits of other fields were put back by saves that had not seen them, and how many outlived such a save.
        package let putBack: Int
        package let kept: Int
        /// How many saves edited one field while another came back with an old value.
        package let cameBack: Int
        /// Whether somebody stated it.
        package let isStated: Bool
        /// How many edits were lost, and would have been if the server did the other thing.
        package internal(set) var losses = 0
        package internal(set) var lossesOtherwise = 0

        /// Whether neither the rows nor anybody tells.
        package var isUndecided: Bool { !isStated && putBack + kept + cameBack == 0 }
    }

    /// What was found.
    package struct Result: Sendable {
        /// The losses, in the order of the rows that took them away, and the lines of these rows.
        package var conflicts: [(conflict: Conflict, line: Int)] = []
        package var statistics = ConflictStatistics()
        package var evidence: [TypeEvidence] = []
        /// How many saves told their base, beside creations.
        package var saves = 0
        package var told = 0
        /// Whether rows have the author's time beside that of receipt.
        package var hasBothClocks = false
        /// How many saves were made from a version that was not current any more, as far as is known.
        package var staleSaves = 0
        package var rows = 0
        package var records = 0
        package var repeatedRecords = 0
        package var authors = 0
        /// How many saves name no author, and how many versions are missing that the old rows of others show: what they took away is not
        /// known.
        package var unsigned = 0
        package var missing = 0
        /// How many deletes no row tells but the end of a version, so that nobody is known to have made them.
        package var ends = 0
        /// How many rows lack one of the two times by which the later edit would be known, where somebody stated that devices sent them.
        package var untimed = 0
    }

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
    /// How many saves each author has made.
    private var saves: [UInt64] = []
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
    /// - Returns: Which of its author's saves it is, from 1; nil where no author is named.
    @discardableResult
    package mutating func observe(_ row: SavedRow, line: Int, keeping: Keeping? = nil) -> UInt64? {
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
        if !row.isDelete { version.named = numbers(of: row.fields, type) }
        version.before = row.before.map { numbers(of: $0, type) }
        let entry = entryIndices[row.key] ?? entries.count
        if entry == entries.count {
            entryIndices[row.key] = entry
            entries.append(Entry(key: row.key, type: type))
        }
        entries[entry].record.append(version)
        guard let author = version.author else { return nil }
        saves[author] += 1
        return saves[author]
    }

    private mutating func number(of author: DeviceID) -> Int {
        if let number = authors[author] { return number }
        authors[author] = names.count
        names.append(author)
        saves.append(0)
        return names.count - 1
    }

    private mutating func numbers(of map: FieldMap, _ type: Int) -> [Int32] {
        if !types[type].rowNames.isSame(as: map.sortedNames) { number(map.sortedNames, of: type) }
        var numbers = [Int32](repeating: 0, count: types[type].rowWidth)
        for (position, field) in types[type].rowFields.enumerated() where field >= 0 {
            let number = number(of: map[position].value)
            numbers[field] = number
            // A field that is empty in most rows is soon known.
            guard number != types[type].latest[field] else { continue }
            types[type].latest[field] = number
            if types[type].distinct[field].count < Self.mostCounted { types[type].distinct[field].insert(number) }
        }
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
    package mutating func finish() -> Result {
        var result = Result()
        compareClocks()
        let hasCurrent = entries.contains { $0.record.versions.contains { $0.until == nil } }
        for index in entries.indices { entries[index].record.settle(endsTellDeletes: hasCurrent) }
        var readings = types.map { type in
            SavedRecord.Reading(
                tolerance: rules.clockToleranceMilliseconds, window: rules.windowMilliseconds,
                distinctive: type.areDistinctive(valueTexts), values: valueTexts)
        }
        var evidence = evidence(readings, &result)
        for (index, evidence) in evidence.enumerated() { readings[index].keepsWholeRows = evidence.keeping != .mergedFields }
        sentTypes = Set(evidence.indices.filter { evidence[$0].keeping == .laterEdits })
        // Of few rows that tell nothing better, those that are close are suspected; of many, two in three such suspicions are wrong.
        var close: [(Conflict, Int)] = []
        for entry in entries {
            count(entry.record, &result)
            if evidence[entry.type].keeping == .laterEdits { continue }
            for loss in entry.record.losses(readings[entry.type], &result.staleSaves) {
                guard let conflict = conflict(loss, entry) else { continue }
                let found = (conflict, entry.record.versions[loss.save].line)
                if loss.evidence == .window {
                    close.append(found)
                } else {
                    result.conflicts.append(found)
                    evidence[entry.type].losses += 1
                }
            }
            guard evidence[entry.type].isUndecided else { continue }
            var (other, ignored) = (readings[entry.type], 0)
            other.keepsWholeRows.toggle()
            evidence[entry.type].lossesOtherwise += entry.record.losses(other, &ignored).count
        }
        mergeSentRows(readings, &evidence, &result)
        result.rows = types.reduce(0) { $0 + $1.count }
        if result.conflicts.isEmpty, result.told == 0, result.rows <= Self.fewRows { result.conflicts = close }
        result.conflicts.sort { ($0.line, $0.conflict.field ?? "") < ($1.line, $1.conflict.field ?? "") }
        for (conflict, _) in result.conflicts { result.statistics.record(conflict) }
        result.evidence = evidence.sorted { $0.type < $1.type }
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

    /// What the rows of each type tell of its server, or somebody states.
    private func evidence(_ readings: [SavedRecord.Reading], _ result: inout Result) -> [TypeEvidence] {
        var counts = types.map { _ in SavedRecord.Keeping() }
        for entry in entries { counts[entry.type].add(entry.record.keeping(readings[entry.type])) }
        let areSent = types.allSatisfy { $0.stated != nil } ? [] : areSent(readings)
        result.untimed = entries.reduce(0) { count, entry in
            types[entry.type].stated == .laterEdits ? count + entry.record.versions.count { !$0.isTimed } : count
        }
        return types.indices.map { index in
            let count = counts[index]
            let told: Keeping = count.kept > count.putBack + count.cameBack ? .mergedFields : .wholeRows
            let stated = types[index].stated
            return TypeEvidence(
                type: types[index].type, keeping: stated ?? (areSent[index] ? .laterEdits : told), putBack: count.putBack,
                kept: count.kept, cameBack: count.cameBack, isStated: stated != nil)
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
    }

    /// Whether the rows of each type go on from what all rows make together, and not from what each of them showed.
    private func areSent(_ readings: [SavedRecord.Reading]) -> [Bool] {
        var evidence = types.map { _ in SentEvidence() }
        for entry in entries where evidence[entry.type].mayBeSent {
            guard entry.record.versions.allSatisfy({ $0.isTimed && !$0.isOfVersions }) else {
                evidence[entry.type].mayBeSent = false
                continue
            }
            let sent = entry.record.sent(readings[entry.type])
            evidence[entry.type].difference += sent.keptDifferences - sent.mergedDifferences
            for (one, next) in zip(entry.record.versions, entry.record.versions.dropFirst()) where one.received != next.received {
                if one.line < next.line { evidence[entry.type].isFalling = false } else { evidence[entry.type].isRising = false }
            }
        }
        return evidence.map(\.isSent)
    }

    /// Merges the rows that devices sent as their server does, by the later edit.
    private func mergeSentRows(_ readings: [SavedRecord.Reading], _ evidence: inout [TypeEvidence], _ result: inout Result) {
        var rows: [(received: Int64, line: Int, type: Int, write: TaggedWrite)] = []
        for entry in entries where evidence[entry.type].keeping == .laterEdits {
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
                result.conflicts.append((conflict, row.line))
                evidence[row.type].losses += 1
            }
        }
    }

    private func count(_ record: SavedRecord, _ result: inout Result) {
        result.missing += record.versions.count(where: \.isMissing)
        result.ends += record.versions.count(where: \.isEnd)
        result.unsigned += record.versions.count { $0.author == nil && !$0.isMissing && !$0.isEnd }
        let rows = record.versions.filter { $0.author != nil }
        if rows.count > 1 { result.repeatedRecords += 1 }
        for version in rows.dropFirst() {
            result.saves += 1
            if version.told != nil { result.told += 1 }
        }
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
            for (index, version) in entry.record.versions.enumerated() {
                guard let author = version.author else { continue }
                all[author].append((version.received ?? version.made ?? 0, version.line, record, index))
            }
        }
        var ofAuthor = [[(received: Int64, made: Int64, record: Int, version: Int)]](repeating: [], count: names.count)
        for author in all.indices {
            all[author].sort { ($0.received, $0.line) < ($1.received, $1.line) }
            for (number, save) in all[author].enumerated() {
                entries[save.record].record.number(save.version, UInt64(number + 1))
                let version = entries[save.record].record.versions[save.version]
                guard let made = version.made, let received = version.received else { continue }
                hasBothClocks = true
                ofAuthor[author].append((received, made, save.record, save.version))
            }
        }
        for uploads in ofAuthor {
            let uploads = uploads.sorted { ($0.received, $0.made) < ($1.received, $1.made) }
            let delays = uploads.map { $0.received.distance(after: $0.made) }
            for (index, upload) in uploads.enumerated() {
                // A clock that was set makes one side lie: what both sides say at least is believed, of sides with some uploads.
                let sides = [
                    delays[max(0, index - Self.neighbours)...index], delays[index..<min(delays.count, index + Self.neighbours + 1)],
                ]
                let telling = sides.filter { $0.count > 2 }.compactMap { $0.min() }
                var fastest = telling.max() ?? sides.joined().min() ?? 0
                // Of one or two uploads, or later than a clock is likely to be off, who is late was offline.
                if telling.isEmpty || Self.isOffline(fastest) { fastest = min(fastest, 0) }
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
