import SyncBytes
import SyncModel

/// What is kept of the writes to a register that came before the maximal ones: from it follows what a put's writer was shown, and so whose
/// edits the put carries.
///
/// What a writer was shown is the policy's choice among the maximal writes that its context covers.
///
/// - Complexity: O(*d* log *n*) for each write that is asked about for the first time, for *n* writes to the register and the *d* devices
///   that its version vector names. A write with a cursor, or without a causal context, may have seen any device's: where more than
///   ``limit`` have written to the register, what it was shown counts as not known.
struct RegisterMemory: ~Copyable {
    /// What is kept of a register besides the writes, each of which is meant by its index among the record's.
    struct Register: Sendable {
        /// The edits that were told of as lost, and the writes with which they were.
        fileprivate var told = WriteSet()
        fileprivate var costly = WriteSet()
        /// Nothing or one, so that the registers of most records pay for a pointer.
        fileprivate var answers: [Answers] = []

        /// Whether nothing is kept.
        var isEmpty: Bool { told.isEmpty && costly.isEmpty && answers.isEmpty }
    }

    /// What takes longer to be found again.
    fileprivate struct Answers {
        /// The writes by their devices; nil where they are few, and sooner found again than kept.
        var writes: DeviceWrites?
        /// By the indices of writes that were asked about; nil where it is not known.
        var shown: [Int: Shown?] = [:]
        var carried: [Int: [Int]?] = [:]

        var isEmpty: Bool { writes == nil && shown.isEmpty && carried.isEmpty }
    }

    /// What a writer was shown, by indices of writes.
    fileprivate struct Shown {
        /// The policy's choice among the maximal writes that the writer had seen; nil where nothing had been written.
        var choice: Int?
        /// The others of them.
        var others: [Int] = []
        /// A value that a custom policy made of them.
        var made: FieldValue?
    }

    /// All writes to the record in their order of arrival.
    private let history: [TaggedWrite]
    /// The indices of those that name writes as seen that have not come, so that what their writers were shown may be one of those.
    private let open: Set<Int>
    /// A bit for each of the first writes: whether its writer is known to have seen all that had come before.
    private let dominating: UInt64
    /// Whether one of them may have come after another whose writer had seen it.
    private let hasLateWrite: Bool
    private var register: Register
    private var answers = Answers()
    /// The field that is the register, nil for the whole record.
    private var field: FieldName?
    /// The writes to the register by their devices; none where they are few, and looked at one by one.
    private var writes = DeviceWrites()
    /// Whether the writes are all that arrived, so that only a context that names what has not arrived leaves a question open.
    private let isWhole: Bool
    private static let limit = 1024

    /// A memory of a whole history.
    init(_ record: borrowing RecordMemory, open: Set<Int>, register: consuming Register = Register()) {
        (history, dominating, hasLateWrite) = (record.writes, record.dominating, record.hasLateWrite)
        answers = register.answers.popLast() ?? Answers()
        (self.open, self.register, isWhole) = (open, register, true)
    }

    /// The memory of a replica: the last write that alone was maximal.
    init(displaced: TaggedWrite?) {
        (history, dominating, hasLateWrite) = (displaced.map { [$0] } ?? [], 0, true)
        (open, register, isWhole) = ([], Register(), false)
    }

    /// Gives back what is to be kept of the register.
    mutating func takeRegister() -> Register {
        if !areFew { (answers.writes, writes) = (writes, DeviceWrites()) }
        var taken = Register()
        swap(&taken, &register)
        if !answers.isEmpty { taken.answers = [answers] }
        answers = Answers()
        return taken
    }

    /// Takes the writes to the register that have come, each after those that its writer had seen.
    ///
    /// - Parameter field: The field; nil for the whole record.
    mutating func observeWrites(to field: FieldName?) {
        self.field = field
        if areFew { return }
        if writes.observed == 0 { writes = answers.writes.take() ?? DeviceWrites() }
        let history = history
        for index in writes.observed..<history.count {
            let write = history[index]
            if let field, !write.concerns(field) { continue }
            writes.insert(write.number, of: write.dot.device, at: index, isNumbered: write.isNumbered) { one, other in
                history[other].hasSeen(history[one], intervals: .withoutWindow)
            }
        }
        writes.observed = history.count
    }

    /// Whether the writes to the record are so few that they are looked at one by one.
    private var areFew: Bool { history.count <= dominating.bitWidth }

    /// Whether a write edits a field: a delete does, and a put that gives the field another value than its writer was shown; nil where
    /// that is not known.
    mutating func isEdit(
        _ write: TaggedWrite, at index: Int, to field: FieldName, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> Bool? {
        bearers(of: write, at: index, rules, intervals, naming: field).map(\.isItself)
    }

    // MARK: Judging

    /// What both sides of a decision had seen, what became of the edits that they carry, and whether what the loser wanted is shown by the
    /// winner all the same.
    mutating func judge(_ winner: TaggedWrite, over loser: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule)
        -> (ancestor: TaggedWrite?, edits: CarriedEdits, isKept: Bool)
    {
        let isKept = winner.keeps(loser, in: rules.field)
        var edits = CarriedEdits()
        edits.isBookkeeping = !isKept && rules.keeps(loser, in: winner)
        guard let winnersIndex = index(of: winner), let losersIndex = index(of: loser) else { return (nil, edits, isKept) }
        let ancestor = ancestor(of: winner, at: winnersIndex, loser, at: losersIndex, rules, intervals)
        // Where the loser's value is shown all the same, it does not matter whose edit it is.
        guard !isKept, !edits.isBookkeeping,
            let lost = editsCarried(by: loser, at: losersIndex, unseenBy: winner, rules, intervals)
        else { return (ancestor, edits, isKept) }
        edits.isLoserKnown = lost.isEmpty
        if lost.isEmpty { return (ancestor, edits, isKept) }
        if isWhole, !rules.policy.addsUp {
            edits.isRepeated = lost.allSatisfy(register.told.contains)
            for edit in lost { register.told.insert(edit) }
            register.costly.insert(losersIndex)
        }
        if !winner.isDelete, !loser.isDelete, bearers(of: winner, at: winnersIndex, rules, intervals)?.isItself == false {
            edits.isStale = editsCarried(by: winner, at: winnersIndex, unseenBy: loser, rules, intervals)?.isEmpty ?? false
        }
        return (ancestor, edits, isKept)
    }

    /// Whether a maximal write carries an edit that another's writer had not seen, as far as that is known, and shows another value.
    mutating func isLost(_ write: TaggedWrite, to winner: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule) -> Bool {
        guard !rules.keeps(write, in: winner), let index = index(of: write), !register.costly.contains(index) else { return false }
        // What is not known is not called harmless.
        return editsCarried(by: write, at: index, unseenBy: winner, rules, intervals)?.isEmpty != true
    }

    /// The earlier puts that the record of a losing put showed and that the winner's writer had not seen, each with the fields that were
    /// still shown of it, as far as none of them was told of as lost.
    mutating func series(
        behind loser: TaggedWrite, lostTo winner: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> [TaggedWrite] {
        guard isWhole, let last = loser.fields, var index = index(of: loser) else { return [] }
        var (named, series): (Set<FieldName>, [TaggedWrite]) = (Set(last.names), [])
        for _ in 0..<Self.limit {
            guard let next = shown(to: history[index], at: index, rules, intervals)?.choice, case let write = history[next],
                let fields = write.fields, !winner.hasSameDot(as: write), !winner.hasSeen(write, intervals: intervals)
            else { break }
            var shown = FieldMap()
            for field in fields where named.insert(field.name).inserted { shown[field.name] = field.value }
            if !shown.isEmpty, !register.costly.contains(next) { series.append(write.with(operation: .put(shown))) }
            index = next
        }
        return series
    }

    /// The edits that a write carries and another's writer had not seen; nil where that is not known.
    private mutating func editsCarried(
        by write: TaggedWrite, at index: Int, unseenBy other: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> [Int]? {
        func isUnseen(_ edit: Int) -> Bool {
            let edit = edit < history.count ? history[edit] : write
            return !other.hasSameDot(as: edit) && !other.hasSeen(edit, intervals: intervals)
        }
        if let edits = editsCarried(by: write, at: index, rules, intervals) { return edits.filter(isUnseen) }
        // Whoever had seen a write had seen what it carries, known or not.
        guard let bearers = bearers(of: write, at: index, rules, intervals), !bearers.indices(index).contains(where: isUnseen) else {
            return nil
        }
        return []
    }

    /// The index of a write; behind all others where it is none of the items of a replica.
    private func index(of write: TaggedWrite) -> Int? {
        guard isWhole else { return history.count }
        if areFew {
            return history.lastIndex { $0.isIdentical(to: write) }
                ?? history.firstIndex { $0.hasSameDot(as: write) && (field.map($0.concerns) ?? true) }
        }
        // One of the two is mostly the arriving write.
        if writes.last >= 0, history[writes.last].isIdentical(to: write) { return writes.last }
        let own = writes[write.dot.device]
        // Of writes that nobody numbered the clock says which came first.
        guard write.isNumbered else { return own.last { $0.number == write.number }.map { Int($0.index) } }
        let slot = own.partitioningIndex { $0.number >= write.number }
        return slot < own.endIndex && own[slot].number == write.number ? Int(own[slot].index) : nil
    }

    /// The policy's choice among the maximal writes that the writers of two had seen; nil where there is none or that is not known.
    func ancestor(
        of one: TaggedWrite, _ other: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> TaggedWrite? {
        guard let first = index(of: one), let another = index(of: other) else { return nil }
        return ancestor(of: one, at: first, other, at: another, rules, intervals)
    }

    private func ancestor(
        of one: TaggedWrite, at index: Int, _ other: TaggedWrite, at otherIndex: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> TaggedWrite? {
        if isWhole, open.contains(index) || open.contains(otherIndex) { return nil }
        if let only = last(seenBy: one, other, before: min(index, otherIndex), intervals) { return history[only] }
        guard let maximal = maximal(seenBy: [one, other], before: min(index, otherIndex), intervals) else { return nil }
        if maximal.count == 1 { return history[maximal[0]] }
        return rules.verdict(among: maximal.map { history[$0] })?.winner
    }

    // MARK: What was shown

    /// The indices of the maximal ones among the writes that some writers had all seen; nil where that is not known.
    ///
    /// Of each device that is the last that they had seen: whoever had seen a write of a device had seen its earlier ones.
    private func maximal(seenBy writes: [TaggedWrite], before end: Int, _ intervals: IntervalRule) -> [Int]? {
        guard isWhole else {
            return (0..<end).filter { index in writes.allSatisfy { $0.hasSeen(history[index], intervals: intervals) } }
        }
        if areFew { return maximal(among: latest(seenBy: writes, before: end, intervals), intervals) }
        var latest: [Int] = []
        func add(_ device: DeviceID, _ own: [DeviceWrites.Write]) {
            func isUnseen(_ write: DeviceWrites.Write) -> Bool {
                if write.index >= end { return true }
                let other = history[Int(write.index)]
                return !writes.allSatisfy { $0.hasSeen(other, intervals: intervals) }
            }
            let split: Int
            if !hasLateWrite, let known = self.writes.areNumbered ? numberSeen(of: device, by: writes) : nil {
                split = own.partitioningIndex { $0.number > known || $0.index >= end }
            } else if let last = own.suffix(dominating.bitWidth).lastIndex(where: { !isUnseen($0) }) {
                // One that came late, or was received late, may be unseen between others that were seen.
                split = last + 1
            } else {
                split = own.partitioningIndex(where: isUnseen)
            }
            if split > 0 { latest.append(Int(own[split - 1].index)) }
        }
        // One vector that names few devices tells where to look.
        let narrowest = writes.filter(\.hasSeenVector).min { $0.seen?.entries.count ?? 0 < $1.seen?.entries.count ?? 0 }
        if let narrowest, let seen = narrowest.seen, seen.entries.count < self.writes.deviceCount {
            for entry in seen.entries where !narrowest.isOfDevice(entry.device) { add(entry.device, self.writes[entry.device]) }
            add(narrowest.dot.device, self.writes[narrowest.dot.device])
        } else {
            guard narrowest != nil || self.writes.deviceCount <= Self.limit else { return nil }
            self.writes.forEachDevice(add)
        }
        return maximal(among: latest.sorted(by: >), intervals)
    }

    /// The last write that one or two writers had seen, where few are kept and its writer had seen all before it: then it is their only
    /// maximal one; nil where that is not so.
    private func last(seenBy one: TaggedWrite, _ other: TaggedWrite?, before end: Int, _ intervals: IntervalRule) -> Int? {
        guard isWhole, areFew else { return nil }
        // Looked at where they lie: a copy would count a reference.
        let (history, name) = (history.span, field ?? "")
        let isOfField = field != nil
        for index in (0..<end).reversed() {
            if isOfField, !history[index].concerns(name) { continue }
            guard one.hasSeen(history[index], intervals: intervals), other?.hasSeen(history[index], intervals: intervals) ?? true else {
                continue
            }
            return dominating & 1 << index != 0 ? index : nil
        }
        return nil
    }

    /// The last write of each device among few that some writers had all seen, the last first, as far back as one whose writer had seen all
    /// before it.
    private func latest(seenBy writers: [TaggedWrite], before end: Int, _ intervals: IntervalRule) -> [Int] {
        var latest: [Int] = []
        // Looked at where they lie: a copy would count a reference.
        let (history, writers, name) = (history.span, writers.span, field ?? "")
        let isOfField = field != nil
        for index in (0..<end).reversed() {
            if isOfField, !history[index].concerns(name) { continue }
            guard writers.indices.allSatisfy({ writers[$0].hasSeen(history[index], intervals: intervals) }) else { continue }
            if let slot = latest.firstIndex(where: { history[$0].isOfSameDevice(as: history[index]) }) {
                if history[index].hasSeen(history[latest[slot]], intervals: .withoutWindow) { latest[slot] = index }
            } else {
                latest.append(index)
            }
            if dominating & 1 << index != 0 { break }
        }
        return hasLateWrite ? latest.sorted(by: >) : latest
    }

    /// The indices of the maximal ones among some writes, of which the last comes first.
    private func maximal(among candidates: [Int], _ intervals: IntervalRule) -> [Int] {
        guard let last = candidates.first, candidates.count > 1 else { return candidates }
        if !hasLateWrite, candidates.dropFirst().allSatisfy({ history[last].hasSeen(history[$0], intervals: intervals) }) { return [last] }
        return candidates.indices.filter { slot in
            // Mostly no writer had seen what came later.
            let others = hasLateWrite ? candidates.indices : 0..<slot
            return !others.contains { $0 != slot && history[candidates[$0]].hasSeen(history[candidates[slot]], intervals: intervals) }
        }.map { candidates[$0] }
    }

    /// The highest number of a device that counts its writes that some writers had all seen; nil where that does not follow from numbers.
    private func numberSeen(of device: DeviceID, by writers: [TaggedWrite]) -> UInt64? {
        var number = UInt64.max
        for writer in writers {
            if writer.isOfDevice(device) {
                guard writer.isNumbered, writer.number > 0 else { return nil }
                number = min(number, writer.number - 1)
            } else {
                guard let seen = writer.seen else { return nil }
                number = min(number, seen[device])
            }
        }
        return number
    }

    /// What the writer of a write was shown.
    private mutating func shown(
        to write: TaggedWrite, at index: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> Shown? {
        if let known = answers.shown[index] { return known }
        let shown = findShown(to: write, at: index, rules, intervals)
        // What a record shows is asked for field by field.
        if isWhole, rules.field == nil { answers.shown[index] = .some(shown) }
        return shown
    }

    private func findShown(to write: TaggedWrite, at index: Int, _ rules: RegisterRules, _ intervals: IntervalRule) -> Shown? {
        if isWhole, !open.contains(index), let only = last(seenBy: write, nil, before: index, intervals) { return Shown(choice: only) }
        guard let maximal = maximal(seenBy: [write], before: index, intervals) else { return nil }
        if isWhole, maximal.count == 1, !open.contains(index) { return Shown(choice: maximal[0]) }
        let writes = maximal.map { history[$0] }
        // What a replica does not remember may have been there.
        if !isWhole, writes.contains(where: \.isDelete) || writes.isEmpty && write.seen?.isEmpty != true { return nil }
        guard isWhole && !open.contains(index) || write.isContextCovered(by: writes) else { return nil }
        guard let verdict = rules.verdict(among: writes) else { return Shown() }
        let choice = maximal.first { history[$0].hasSameDot(as: verdict.winner) }
        return Shown(choice: choice, others: maximal.filter { $0 != choice }, made: verdict.made)
    }

    /// The value of a field as it is shown by a write and what its writer was shown; null where there is none, nil where it is not known.
    private mutating func value(
        of name: FieldName, shownBy start: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> WrittenValue? {
        var index = start
        for _ in 0..<Self.limit {
            let write = history[index]
            guard let fields = isWhole ? write.fieldsAndCarried : write.fields else { return WrittenValue(.null) }
            if let value = fields.written(name) { return value }
            // A field of its own is not shown through.
            if rules.field != nil { return WrittenValue(.null) }
            guard let before = shown(to: write, at: index, rules, intervals) else { return nil }
            guard let next = before.choice else { return WrittenValue(.null) }
            index = next
        }
        return nil
    }

    // MARK: What is carried

    /// The indices of the edits that a write carries; nil where that is not known.
    private mutating func editsCarried(
        by write: TaggedWrite, at start: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> [Int]? {
        var (edits, reached): (Set<Int>, Set<Int>) = ([], [])
        // Those on the way before it parts carry the same.
        var (way, hasParted): ([Int], Bool) = ([], false)
        var open = [start]
        // Of a part of a write nothing is kept.
        let isPart = start < history.count && !history[start].isIdentical(to: write)
        while let index = open.popLast() {
            if !(isPart && index == start), let known = answers.carried[index] {
                guard let known else { return remember(nil, way) }
                edits.formUnion(known)
                continue
            }
            if !hasParted, !(isPart && index == start) { way.append(index) }
            // Of what a replica remembers it does not know whose value that repeats.
            if !isWhole, index != start {
                edits.insert(index)
                continue
            }
            switch bearers(of: index == start ? write : history[index], at: index, rules, intervals) {
            case nil: return remember(nil, way)
            case .itself:
                // Most carry themselves alone.
                if index == start { return [start] }
                edits.insert(index)
            case .others(let bearers):
                if bearers.count > 1 { hasParted = true }
                for bearer in bearers where bearer != start && reached.insert(bearer).inserted { open.append(bearer) }
            }
        }
        return remember(edits.sorted(), way)
    }

    /// Keeps what some writes carry, as far as it takes longer to find it again.
    private mutating func remember(_ edits: [Int]?, _ way: [Int]) -> [Int]? {
        guard isWhole, edits != way else { return edits }
        for index in way { answers.carried[index] = .some(edits) }
        return edits
    }

    /// Whose value a write names.
    private enum Bearers {
        /// Its own: it is an edit.
        case itself
        /// That of other writes, by their indices.
        case others([Int])

        var isItself: Bool { if case .itself = self { true } else { false } }

        /// The indices of the writes.
        ///
        /// - Parameter own: The write's own.
        func indices(_ own: Int) -> [Int] { if case .others(let others) = self { others } else { [own] } }
    }

    /// Whose value a write names; nil where that is not known.
    ///
    /// - Parameter field: The field that is asked about, nil for all of the register.
    private mutating func bearers(
        of write: TaggedWrite, at index: Int, _ rules: RegisterRules, _ intervals: IntervalRule, naming field: FieldName? = nil
    ) -> Bearers? {
        guard let fields = write.fields, let names = rules.names(in: fields, naming: field) else { return .itself }
        func given(_ name: FieldName) -> WrittenValue { fields.written(name) ?? WrittenValue(.null) }
        func isChange(_ value: WrittenValue) -> Bool { value.isObject && value.value.isChange }
        // The same change made twice is two changes.
        if names.contains(where: { isChange(given($0)) }) { return .itself }
        guard let shown = shown(to: write, at: index, rules, intervals) else { return nil }
        // Who was shown nothing and removes it edits nothing; a replica calls that an edit, for its log does not show it.
        guard let choice = shown.choice else { return isWhole && names.allSatisfy { given($0).value == .null } ? .others([]) : .itself }
        if let made = shown.made, rules.field != nil {
            return names.allSatisfy { given($0).value == made } ? .others([choice] + shown.others) : .itself
        }
        /// Whether the write gives the values that another shows; nil where that is not known.
        func repeats(_ candidate: Int) -> Bool? {
            for name in names {
                guard let value = value(of: name, shownBy: candidate, rules, intervals) else { return nil }
                if value == given(name) || rules.field == nil && rules.isBookkeeping(name, write, history[candidate]) { continue }
                return false
            }
            return true
        }
        guard let repeatsChoice = repeats(choice) else { return nil }
        if !repeatsChoice { return .itself }
        var bearers = [choice]
        for candidate in shown.others {
            guard let repeatsIt = repeats(candidate) else { return nil }
            if repeatsIt { bearers.append(candidate) }
        }
        return .others(bearers)
    }
}

extension RegisterRules {
    /// What a put names of the register: a field, or all where the register is the record; nil where it does not name the field.
    ///
    /// - Parameter name: The one field of a whole record that is asked about.
    fileprivate func names(in fields: FieldMap, naming name: FieldName?) -> [FieldName]? {
        guard let field = field ?? name else { return fields.sortedNames }
        return fields.written(field).map { _ in [field] }
    }
}
