import ConflictAudit
import SyncBytes
import SyncModel

/// The versions of one record in the server's order, and what of them each save took away.
///
/// What the server kept is read and not decided again. A save takes away an edit where its author had not seen it and it is shown no more;
/// what an author had seen follows from the version that he had been looking at, the base: as the row tells it, else by what the row
/// repeats, within what the time allows.
///
/// - Complexity: O(*v* · *f*) for *v* versions of *f* fields, times the versions since the author's own last save, of which ``reach`` are
///   looked at.
struct SavedRecord {
    /// A version: one row.
    struct Version: BitwiseCopyable {
        var line: Int
        /// The number of the author; nil where the row does not tell.
        @Compact<Int32, Int> var author: Int? = nil
        /// Which of the author's saves it is, from 1.
        var number: UInt64 = 0
        /// The time of the edit by its author's clock.
        @Compact<Int64, Int64> var made: Int64? = nil
        /// The same by the server's clock, as far as the author's fastest uploads tell.
        @Compact<Int64, Int64> var madeForServer: Int64? = nil
        @Compact<Int64, Int64> var received: Int64? = nil
        /// When the server showed it no more, where the table tells ends.
        @Compact<Int64, Int64> var until: Int64? = nil
        @Compact<Int64, Int64> var order: Int64? = nil
        /// The numbers of the names of the version and of its base.
        @Compact<Int32, Int> var name: Int? = nil
        @Compact<Int32, Int> var base: Int? = nil
        /// The version that the row tells as its base, by its index.
        @Compact<Int32, Int> var told: Int? = nil
        var isDelete = false
        /// Whether the table remembers the row before too.
        var hasBefore = false
        /// Whether it is no row, but what the next row shows of one that is missing.
        var isMissing = false
        /// Whether it is no row, but a delete that the end of a version tells.
        var isEnd = false

        /// What is no row.
        init(line: Int) { self.line = line }

        /// A row.
        init(_ row: borrowing NumberedRow, line: Int) {
            self.line = line
            (author, made, received, until, order) = (row.author, row.made, row.received, row.until, row.order)
            (name, base, isDelete, hasBefore) = (row.version, row.base, row.isDelete, row.before != nil)
        }

        /// Whether both clocks tell of it.
        var isTimed: Bool { made != nil && received != nil }
        /// Whether it tells of versions: its name, its base, its end, or what was there before.
        var isOfVersions: Bool { name != nil || base != nil || hasBefore || until != nil }
    }

    /// How a save's base is known.
    enum Evidence { case told, arrival, content, window }

    /// An edit that a save took away.
    struct Loss {
        /// The indices of the save, of the version whose edit went, and of the base.
        let save: Int
        let lost: Int
        let base: Int
        let field: Int
        let evidence: Evidence
        /// Whether the save only sent an old value along.
        let isPutBack: Bool
    }

    /// What rows tell of the server: how many edits of others a save that had not seen them put back, and how many outlived one.
    struct Keeping {
        var putBack = 0
        var kept = 0
        /// How many saves edited one field while another came back with an old value.
        var cameBack = 0

        mutating func add(_ other: Keeping) {
            putBack += other.putBack
            kept += other.kept
            cameBack += other.cameBack
        }
    }

    /// How saves are read: one object for many records.
    final class Reading: Sendable {
        /// By how much clocks may differ, in milliseconds.
        let tolerance: Int64
        /// How close two saves have to be for the later not to know the earlier where nothing better is known, in milliseconds.
        let window: Int64
        /// Whether a row repeats what its author was shown; of a server that merges it shows what others edited too.
        let keepsWholeRows: Bool
        /// Whether a value says by itself which version it is of, by the field's number: of a switch that is set and set back none does.
        let distinctive: [Bool]
        /// What the numbers of values and names stand for.
        let numbers: SavedRowNumbers

        /// How saves are read where the rows have told nothing of the server yet.
        convenience init(tolerance: Int64, window: Int64, distinctive: [Bool], numbers: SavedRowNumbers) {
            self.init(tolerance, window, true, distinctive, numbers)
        }

        private init(_ tolerance: Int64, _ window: Int64, _ keepsWholeRows: Bool, _ distinctive: [Bool], _ numbers: SavedRowNumbers) {
            (self.tolerance, self.window, self.distinctive, self.numbers) = (tolerance, window, distinctive, numbers)
            self.keepsWholeRows = keepsWholeRows
        }

        /// How saves are read of a server that keeps whole rows, or merges them.
        func keeping(wholeRows: Bool) -> Reading { Reading(tolerance, window, wholeRows, distinctive, numbers) }
    }

    private(set) var versions: [Version]
    /// What each version names.
    private(set) var named: VersionValues
    /// What the record shows after each; nothing of a field that nobody has named.
    private(set) var shown: VersionValues
    /// What each row before it names, where the table remembers them; no longer needed once the versions are in order.
    private var before: VersionValues

    /// A record of no rows.
    ///
    /// - Parameters:
    ///   - width: How many fields its rows name at most.
    ///   - capacity: How many rows are expected.
    ///   - hasBefore: Whether the table remembers rows before.
    init(width: Int, capacity: Int, hasBefore: Bool) {
        versions = []
        versions.reserveCapacity(capacity)
        named = VersionValues(width: width, capacity: capacity)
        before = VersionValues(width: hasBefore ? width : 0, capacity: capacity)
        shown = before
    }

    /// Takes a row; they may come in any order.
    mutating func append(_ version: Version, named: ArraySlice<Int32>, before: ArraySlice<Int32>) {
        versions.append(version)
        self.named.append(named)
        self.before.append(before)
    }

    /// How many versions a save's author may have missed; older ones are not taken for what he had been looking at.
    private static let reach = 1024

    /// Puts the versions in the server's order, and works out what the record showed after each.
    ///
    /// A row before that is not what the version before shows tells of a version that is missing: one is put in, by nobody who is known. So
    /// is a delete where a version ends and no other begins.
    ///
    /// - Parameter endsTellDeletes: Whether the table has the versions that are current too, so that the end of a record's last one is a
    ///   delete.
    mutating func settle(endsTellDeletes: Bool, _ numbers: SavedRowNumbers) {
        putInOrder()
        defer { resolveBases(numbers) }
        // Nothing else tells of a version that is no row.
        guard versions.contains(where: { $0.hasBefore || $0.until != nil }) else {
            shown = named
            for index in versions.indices.dropFirst() where !versions[index].isDelete { shown.fill(index, from: index - 1) }
            return
        }
        let (rows, rowsNamed) = (versions, named)
        (versions, named, shown) = ([], VersionValues(width: named.width), VersionValues(width: named.width))
        for (index, row) in rows.enumerated() {
            if row.hasBefore {
                learn(before[index])
                if !agrees(before[index]) {
                    var missing = Version(line: row.line)
                    missing.isMissing = true
                    append(missing, named: [], shown: before[index])
                }
            }
            append(row, named: rowsNamed[index], shown: rowsNamed[index])
            let next = index + 1 < rows.count ? rows[index + 1].received ?? .min : nil
            if let until = row.until, next.map({ $0 > until }) ?? endsTellDeletes {
                var delete = Version(line: row.line)
                (delete.received, delete.isDelete, delete.isEnd) = (until, true, true)
                append(delete, named: [], shown: [])
            }
        }
        before = VersionValues(width: 0)
    }

    private mutating func putInOrder() {
        let order: [Int]?
        if versions.allSatisfy({ $0.order != nil }) {
            order = sorted { $0.order ?? 0 }
        } else if versions.allSatisfy({ $0.received != nil }) {
            order = sorted { $0.received ?? 0 }
        } else {
            order = nil
        }
        guard let order else { return }
        versions = order.map { versions[$0] }
        named = named.ordered(by: order)
        before = before.ordered(by: order)
    }

    /// The indices of the versions in the order of their numbers, of two with one number that of their lines; nil where they are in order,
    /// as most are.
    private func sorted(by number: (Version) -> Int64) -> [Int]? {
        func precedes(_ one: Int, _ other: Int) -> Bool {
            (number(versions[one]), versions[one].line) < (number(versions[other]), versions[other].line)
        }
        if versions.indices.dropFirst().allSatisfy({ !precedes($0, $0 - 1) }) { return nil }
        return versions.indices.sorted(by: precedes)
    }

    /// Puts a version behind those that are in order; what its values leave out is shown as before.
    private mutating func append(_ version: Version, named: ArraySlice<Int32>, shown: ArraySlice<Int32>) {
        versions.append(version)
        self.named.append(named)
        if version.isDelete { return self.shown.appendNone() }
        self.shown.append(shown)
        if versions.count > 1 { self.shown.fill(versions.count - 1, from: versions.count - 2) }
    }

    /// Whether the row before the next is what the last version shows; nobody knows how much of what is empty a table leaves out.
    private func agrees(_ before: ArraySlice<Int32>) -> Bool {
        zip(shown.fields, before).allSatisfy { field, value in
            let last = versions.isEmpty ? 0 : shown[versions.count - 1, field]
            return value <= (last == 0 ? SavedRowNumbers.lastEmpty : 0) || last == value
        }
    }

    /// Learns from a row's values before what earlier versions left out: a table may keep only the row before, or the fields that changed.
    ///
    /// A field that no version has named yet was so from the start of the record's life.
    private mutating func learn(_ before: ArraySlice<Int32>) {
        guard let last = versions.indices.last, !versions[last].isDelete else { return }
        let isFirst = last == 0 || versions[last - 1].isDelete
        if !versions[last].isMissing, isFirst || versions[last].hasBefore, named[last].allSatisfy({ $0 == 0 }) {
            for (field, value) in zip(named.fields, before) where value != 0 {
                (named[last, field], shown[last, field]) = (value, value)
            }
        }
        for (field, value) in zip(shown.fields, before) where value > SavedRowNumbers.lastEmpty {
            for index in versions.indices.reversed() {
                if versions[index].isDelete || shown[index, field] != 0 { break }
                shown[index, field] = value
            }
        }
    }

    /// Finds the versions that rows tell as their bases.
    ///
    /// Versions that are counted are a line: to have seen one is to have seen all before it.
    private mutating func resolveBases(_ numbers: SavedRowNumbers) {
        guard versions.indices.contains(where: { versions[$0].base != nil }) else { return }
        var latest: [Int: Int] = [:]
        for save in versions.indices {
            if let base = versions[save].base {
                versions[save].told = latest[base]
                if versions[save].told == nil, let number = Int64(numbers.text(base)) {
                    versions[save].told = (max(0, save - Self.reach)..<save).last {
                        versions[$0].name.flatMap { Int64(numbers.text($0)) }.map { $0 <= number } ?? false
                    }
                }
            }
            if let name = versions[save].name { latest[name] = save }
        }
    }

    /// Whether a save names a field, and shows something else there than a version does.
    private func differs(_ save: Int, from other: Int, in field: Int) -> Bool { differs(save, from: other, of: shown, in: field) }

    /// Whether a version names a field, and another value than one of some states has.
    func differs(_ version: Int, from state: Int, of states: VersionValues, in field: Int) -> Bool {
        let value = named[version, field]
        return value != SavedRowNumbers.none && value != states[state, field]
    }

    /// The versions that the author of a save may have been looking at: from his own last save on, and none that the server had only after
    /// the edit was made; nil for the first of a life of the record.
    func candidates(_ save: Int, _ reading: Reading) -> ClosedRange<Int>? {
        guard save > 0 else { return nil }
        var first = save - 1
        // A deleted record is looked at by nobody, so that what lies behind a delete is no base.
        while first > 0, save - first < Self.reach, !versions[first - 1].isDelete,
            versions[first].author == nil || versions[first].author != versions[save].author
        {
            first -= 1
        }
        var last = save - 1
        if let made = versions[save].madeForServer {
            while last > first, let received = versions[last].received, received > made.addingClamped(reading.tolerance) { last -= 1 }
        }
        return first...last
    }

    /// The base of a save, and how it is known.
    ///
    /// Who saves has edited something, and the rest of his row is what he was shown: the version from which it differs in the fewest
    /// fields is likeliest. But for what is set back on purpose: where only fields of few values speak for an older version, they have to
    /// be several.
    private func base(of save: Int, _ reading: Reading) -> (index: Int, latest: Int, isTold: Bool)? {
        if let told = versions[save].told { return (told, told, true) }
        guard let range = candidates(save, reading) else { return nil }
        if versions[save].isDelete { return (range.upperBound, range.upperBound, false) }
        guard reading.keepsWholeRows else {
            return (grown(save, from: range.upperBound, besides: nil, range, reading) ?? range.upperBound, range.upperBound, false)
        }
        var best: (index: Int, count: Int)?
        for index in range.reversed() where !versions[index].isDelete {
            let limit = best?.count ?? .max
            var count = 0
            for field in named.fields where differs(save, from: index, in: field) {
                count += 1
                if count >= limit { break }
            }
            if count > 0, count < limit, best.map({ speaks(for: index, instead: $0.index, save, reading) }) ?? true {
                best = (index, count)
            }
            if best?.count == 1 { break }
        }
        guard let best else { return (range.upperBound, range.upperBound, false) }
        return (grown(save, from: best.index, besides: best.count, range, reading) ?? best.index, range.upperBound, false)
    }

    /// An older version from which a save differs in as few fields as from the likeliest, and whose text or list it keeps but for what was
    /// put in or taken out once, which of the likeliest it does not; nil where there is none.
    ///
    /// Who writes on in a text keeps what was there.
    ///
    /// - Parameter count: In how many fields it differs from the likeliest; nil where others' edits are in the row too.
    private func grown(_ save: Int, from best: Int, besides count: Int?, _ range: ClosedRange<Int>, _ reading: Reading) -> Int? {
        func grows(_ field: Int, _ index: Int) -> Bool {
            let old = shown[index, field]
            return old != 0 && reading.numbers.grows(named[save, field], from: old)
        }
        let fields = named.fields
        if fields.contains(where: { differs(save, from: best, in: $0) && grows($0, best) }) { return nil }
        for index in (range.lowerBound..<max(best, range.lowerBound)).reversed().prefix(Self.grownReach) {
            if versions[index].isDelete { return nil }
            let isOlder = fields.contains { field in
                let (saved, old, latest) = (named[save, field], shown[index, field], shown[best, field])
                guard saved != 0, old != saved else { return false }
                return latest != saved && latest != old && grows(field, index)
            }
            guard isOlder else { continue }
            guard let count else { return index }
            if fields.count(where: { differs(save, from: index, in: $0) }) == count { return index }
        }
        return nil
    }

    /// How many versions are looked at for a text that was written on.
    private static let grownReach = 64

    /// Whether what a save repeats of a version, and not of a later one, can hardly be chance.
    private func speaks(for index: Int, instead later: Int, _ save: Int, _ reading: Reading) -> Bool {
        var few = 0
        for field in named.fields where differs(save, from: later, in: field) && !differs(save, from: index, in: field) {
            if reading.distinctive[field] { return true }
            few += 1
        }
        return few >= Self.fewestSwitches
    }

    /// How many fields of few values have to show an older version's.
    private static let fewestSwitches = 3

    /// What the record's rows tell of the server.
    func keeping(_ reading: Reading) -> Keeping {
        var keeping = Keeping()
        for save in versions.indices.dropFirst() where !versions[save].isDelete && !versions[save - 1].isDelete {
            if cameBack(save, reading) { keeping.cameBack += 1 }
            let known = versions[save].told ?? candidates(save, reading)?.upperBound
            guard let known, known < save - 1, !versions[known].isDelete else { continue }
            for field in named.fields where named[save, field] != 0 {
                let (saved, old, new) = (named[save, field], shown[known, field], shown[save - 1, field])
                if old == new || old == 0 { continue }
                if saved == new { keeping.kept += 1 } else if saved == old { keeping.putBack += 1 }
            }
        }
        return keeping
    }

    private func isSoon(_ save: Int, after other: Int, _ reading: Reading) -> Bool {
        guard let time = versions[save].received ?? versions[save].made, let before = versions[other].received ?? versions[other].made
        else {
            return false
        }
        return time.distance(after: before) <= reading.window
    }

    /// Whether a save edits one field, and another shows what only versions before the current one did.
    private func cameBack(_ save: Int, _ reading: Reading) -> Bool {
        if versions[save].author == versions[save - 1].author { return false }
        let changed = named.fields.count { differs(save, from: save - 1, in: $0) }
        if changed < 2 { return false }
        let old = named.fields.count { differs(save, from: save - 1, in: $0) && isOld(save, $0, reading) }
        return old > 0 && old < changed
    }

    /// Whether a save shows in a field what a version before the current one did, and that can hardly be chance.
    private func isOld(_ save: Int, _ field: Int, _ reading: Reading) -> Bool {
        reading.distinctive[field]
            && (max(0, save - 65)..<save - 1).contains { shown[$0, field] == named[save, field] }
    }

    /// The edits that saves took away.
    ///
    /// - Parameter staleSaves: Gets one more for each save from a version that was not current any more.
    func losses(_ reading: Reading, _ staleSaves: inout Int) -> [Loss] {
        let keepsWholeRows = reading.keepsWholeRows
        var losses: [Loss] = []
        // For each field the version whose edit is shown; nil where that is not known.
        let unknown = [Int?](repeating: nil, count: named.width)
        var edits = unknown
        for save in versions.indices {
            let (author, isDelete) = (versions[save].author, versions[save].isDelete)
            guard save > 0, !versions[save - 1].isDelete else {
                edits = unknown
                if author != nil, !isDelete { for field in shown.fields where shown[save, field] != 0 { edits[field] = save } }
                continue
            }
            let base = author == nil ? nil : base(of: save, reading)
            if let base, base.index < save - 1 {
                if (max(base.index + 1, save - Self.reach)..<save).contains(where: { versions[$0].author != author }) {
                    staleSaves += 1
                }
                for (field, lost) in edits.enumerated() {
                    guard let lost, lost > base.index, versions[lost].author != author else { continue }
                    guard isDelete || differs(save, from: save - 1, in: field) else { continue }
                    let isPutBack = keepsWholeRows && !isDelete && !differs(save, from: base.index, in: field)
                    losses.append(
                        Loss(
                            save: save, lost: lost, base: base.index, field: field,
                            evidence: base.isTold ? .told : lost > base.latest ? .arrival : .content, isPutBack: isPutBack))
                }
            }
            // Where the author's clock is not told and he repeats nothing, a save soon after another's may not know it.
            // But whoever changes a record knows that it was made.
            let mayBeBlind = base.map { !$0.isTold && $0.index == save - 1 } ?? isDelete
            if mayBeBlind, versions[save].made == nil || versions[save].madeForServer == nil {
                for (field, lost) in edits.enumerated() {
                    guard let lost, lost > 0, !versions[lost - 1].isDelete, versions[lost].author != author,
                        isSoon(save, after: lost, reading)
                    else { continue }
                    guard isDelete || differs(save, from: save - 1, in: field) else { continue }
                    losses.append(Loss(save: save, lost: lost, base: max(0, lost - 1), field: field, evidence: .window, isPutBack: false))
                }
            }
            if isDelete {
                edits = unknown
                continue
            }
            for field in named.fields where differs(save, from: save - 1, in: field) {
                // An old value that was only sent along is nobody's edit; of a version by nobody who is known neither. Where it is not told
                // what the author had been looking at, a value that comes back is taken for one that was sent along.
                let isEdit =
                    base.map { base in
                        !keepsWholeRows || differs(save, from: base.index, in: field) && (base.isTold || !isOld(save, field, reading))
                    } ?? false
                edits[field] = isEdit ? save : nil
            }
        }
        return losses
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
