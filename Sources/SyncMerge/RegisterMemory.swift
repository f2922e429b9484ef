import SyncModel

/// What is kept of the writes to a register that came before the maximal ones: from it follows what a put's writer was shown, and so whose
/// edits the put carries.
///
/// What a writer was shown is the policy's choice among the maximal writes that its context covers.
///
/// - Complexity: O(*k*) for each write that is asked about for the first time, for *k* writes since the last one whose writer had seen all
///   before it; where that are more than ``limit``, what was shown counts as not known.
struct RegisterMemory: Sendable {
    /// A write to the register.
    struct Item: Sendable {
        let write: TaggedWrite
        /// Whether its writer had seen all that came before.
        let hasSeenAll: Bool
        /// Whether it names writes as seen that have not come, so that what its writer was shown may be one of those.
        let isOpen: Bool
    }

    /// What a writer was shown, by places among the items.
    private struct Shown {
        /// The maximal writes that the writer had seen; empty where nothing had been written.
        var maximal: [Int] = []
        /// The policy's choice among them.
        var choice: Int?
        /// A value that a custom policy made of them.
        var made: FieldValue?
    }

    /// Those that came earlier first.
    private var items: [Item] = []
    /// Whether the items are all that arrived, so that only a context that names what has not arrived leaves a question open.
    private let isWhole: Bool
    /// By the places of writes that were asked about; nil where it is not known.
    private var shown: [Int: Shown?] = [:]
    private var carried: [Int: [Int]?] = [:]
    /// The edits that were told of as lost, and the writes with which they were.
    private var told: Set<Int> = []
    private var costly: Set<Int> = []
    /// The winner of the latest decision: the next one is mostly won by the same write.
    private var lastWinner: (write: TaggedWrite, place: Int)?

    private static let limit = 1024

    /// A memory of a whole history, of which nothing has come yet.
    init() { isWhole = true }

    /// The memory of a replica: the last write that alone was maximal.
    init(displaced: TaggedWrite?) {
        isWhole = false
        if let displaced { items = [Item(write: displaced, hasSeenAll: true, isOpen: false)] }
    }

    /// Takes the next write to the register, which comes after those that its writer had seen.
    mutating func append(_ item: Item) { items.append(item) }

    // MARK: Judging

    /// What both sides of a decision had seen, and what became of the edits that they carry.
    mutating func judge(_ winner: TaggedWrite, over loser: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule)
        -> (ancestor: TaggedWrite?, edits: CarriedEdits)
    {
        var edits = CarriedEdits()
        guard let winnersPlace = place(of: winner), let losersPlace = place(of: loser) else { return (nil, edits) }
        lastWinner = (winner, winnersPlace)
        let ancestor = ancestor(of: winner, at: winnersPlace, loser, at: losersPlace, rules, intervals)
        // Where the loser's value is shown all the same, it does not matter whose edit it is.
        guard !rules.keeps(loser, in: winner),
            let lost = editsCarried(by: loser, at: losersPlace, unseenBy: winner, rules, intervals)
        else { return (ancestor, edits) }
        edits.isLoserKnown = lost.isEmpty
        if lost.isEmpty { return (ancestor, edits) }
        if isWhole, !rules.policy.addsUp {
            edits.isRepeated = lost.allSatisfy(told.contains)
            told.formUnion(lost)
            costly.insert(losersPlace)
        }
        if !winner.isDelete, !loser.isDelete, bearers(of: winner, at: winnersPlace, rules, intervals).map({ $0 != [winnersPlace] }) == true
        {
            edits.isStale = editsCarried(by: winner, at: winnersPlace, unseenBy: loser, rules, intervals)?.isEmpty ?? false
        }
        return (ancestor, edits)
    }

    /// Whether a maximal write carries an edit that another's writer had not seen, as far as that is known, and shows another value.
    mutating func isLost(_ write: TaggedWrite, to winner: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule) -> Bool {
        guard !rules.keeps(write, in: winner), let place = place(of: write), !costly.contains(place) else { return false }
        // What is not known is not called harmless.
        return editsCarried(by: write, at: place, unseenBy: winner, rules, intervals)?.isEmpty != true
    }

    /// The edits that a write carries and another's writer had not seen; nil where that is not known.
    private mutating func editsCarried(
        by write: TaggedWrite, at place: Int, unseenBy other: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> [Int]? {
        func isUnseen(_ edit: Int) -> Bool {
            let edit = edit < items.count ? items[edit].write : write
            return !other.hasSameDot(as: edit) && !other.hasSeen(edit, intervals: intervals)
        }
        if let edits = editsCarried(by: write, at: place, rules, intervals) { return edits.filter(isUnseen) }
        // Whoever had seen a write had seen what it carries, known or not.
        guard let bearers = bearers(of: write, at: place, rules, intervals), !bearers.contains(where: isUnseen) else { return nil }
        return []
    }

    /// The place of a write; behind all others where it is none of the items of a replica.
    private func place(of write: TaggedWrite) -> Int? {
        guard isWhole else { return items.count }
        if let lastWinner, lastWinner.write.isIdentical(to: write) { return lastWinner.place }
        for place in items.indices.reversed().prefix(Self.limit) where items[place].write.hasSameDot(as: write) { return place }
        return nil
    }

    /// The policy's choice among the maximal writes that the writers of two had seen; nil where there is none or that is not known.
    func ancestor(
        of one: TaggedWrite, _ other: TaggedWrite, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> TaggedWrite? {
        guard let first = place(of: one), let another = place(of: other) else { return nil }
        return ancestor(of: one, at: first, other, at: another, rules, intervals)
    }

    private func ancestor(
        of one: TaggedWrite, at place: Int, _ other: TaggedWrite, at otherPlace: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> TaggedWrite? {
        if isWhole, items[place].isOpen || items[otherPlace].isOpen { return nil }
        let maximal = maximal(before: min(place, otherPlace)) {
            one.hasSeen($0, intervals: intervals) && other.hasSeen($0, intervals: intervals)
        } hasSeen: {
            $0.hasSeen($1, intervals: intervals)
        }
        guard let maximal else { return nil }
        return rules.verdict(among: maximal.map { items[$0].write })?.winner
    }

    // MARK: What was shown

    /// The places of those of the writes before a place that fulfil a condition and that no other of them has seen; nil where that is not
    /// known.
    private func maximal(
        before place: Int, where condition: (TaggedWrite) -> Bool, hasSeen: (TaggedWrite, TaggedWrite) -> Bool
    ) -> [Int]? {
        var (maximal, others): ([Int], [Int]) = ([], [])
        var next = place - 1
        let end = next - Self.limit
        while next >= 0 {
            if next == end { return nil }
            let item = items[next]
            if condition(item.write) {
                // Mostly the latest has seen all that the others had seen; not where contexts leave out what theirs hold.
                func isSeen(_ other: Int) -> Bool { hasSeen(items[other].write, item.write) }
                if maximal.contains(where: isSeen) || others.contains(where: isSeen) {
                    others.append(next)
                } else {
                    // One that came too late is behind another that has seen it.
                    others += maximal.filter { hasSeen(item.write, items[$0].write) }
                    maximal.removeAll { hasSeen(item.write, items[$0].write) }
                    maximal.append(next)
                }
                if item.hasSeenAll { break }
            }
            next -= 1
        }
        return maximal
    }

    /// What the writer of a write was shown.
    private mutating func shown(
        to write: TaggedWrite, at place: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> Shown? {
        if let known = shown[place] { return known }
        let shown = findShown(to: write, at: place, rules, intervals)
        // What a record shows is asked for field by field.
        if isWhole, rules.field == nil { self.shown[place] = .some(shown) }
        return shown
    }

    private func findShown(to write: TaggedWrite, at place: Int, _ rules: RegisterRules, _ intervals: IntervalRule) -> Shown? {
        let maximal = maximal(before: place) {
            write.hasSeen($0, intervals: intervals)
        } hasSeen: {
            $0.hasSeen($1, intervals: intervals)
        }
        guard let maximal else { return nil }
        let writes = maximal.map { items[$0].write }
        // What a replica does not remember may have been there.
        if !isWhole, writes.contains(where: \.isDelete) || writes.isEmpty && write.seen?.isEmpty != true { return nil }
        guard isWhole && !items[place].isOpen || write.isContextCovered(by: writes) else { return nil }
        guard let verdict = rules.verdict(among: writes) else { return Shown() }
        return Shown(
            maximal: maximal, choice: maximal.first { items[$0].write.hasSameDot(as: verdict.winner) }, made: verdict.made)
    }

    /// The value of a field as it is shown by a write and what its writer was shown; null where there is none, nil where it is not known.
    private mutating func value(
        of name: FieldName, shownBy start: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> FieldValue? {
        var place = start
        for _ in 0..<Self.limit {
            let write = items[place].write
            guard let fields = isWhole ? write.fieldsAndCarried : write.fields else { return .null }
            if let value = fields[name] { return value }
            // A field of its own is not shown through.
            if rules.field != nil { return .null }
            guard let before = shown(to: write, at: place, rules, intervals) else { return nil }
            guard let next = before.choice else { return .null }
            place = next
        }
        return nil
    }

    // MARK: What is carried

    /// The places of the edits that a write carries; nil where that is not known.
    private mutating func editsCarried(
        by write: TaggedWrite, at start: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> [Int]? {
        var (edits, visited): (Set<Int>, [Int]) = ([], [])
        var open = [start]
        var isChain = true
        while let place = open.popLast() {
            if let known = carried[place] {
                guard let known else { return remember(nil, visited, isChain) }
                edits.formUnion(known)
                continue
            }
            visited.append(place)
            // Of what a replica remembers it does not know whose value that repeats.
            if !isWhole, place != start {
                edits.insert(place)
                continue
            }
            guard let bearers = bearers(of: place == start ? write : items[place].write, at: place, rules, intervals) else {
                return remember(nil, visited, isChain)
            }
            if bearers == [place] {
                edits.insert(place)
            } else {
                if bearers.count != 1 { isChain = false }
                for bearer in bearers where isChain || !visited.contains(bearer) && !open.contains(bearer) { open.append(bearer) }
            }
        }
        return remember(edits.sorted(), visited, isChain)
    }

    /// Keeps what the first write carries, and so every other on the way from it to an edit.
    private mutating func remember(_ edits: [Int]?, _ visited: [Int], _ isChain: Bool) -> [Int]? {
        // That a write is an edit itself is found again as fast.
        guard isWhole, edits == nil || visited.count > 1 else { return edits }
        for place in isChain ? visited[...] : visited.prefix(1) { carried[place] = .some(edits) }
        return edits
    }

    /// The places of the writes whose value a write repeats; its own where it is an edit, nil where that is not known.
    private mutating func bearers(
        of write: TaggedWrite, at place: Int, _ rules: RegisterRules, _ intervals: IntervalRule
    ) -> [Int]? {
        guard let fields = write.fields, let named = rules.values(in: fields) else { return [place] }
        // The same change made twice is two changes.
        if named.contains(where: { CounterWrite($0.value) != nil || SetWrite($0.value) != nil }) { return [place] }
        guard let shown = shown(to: write, at: place, rules, intervals) else { return nil }
        // Who was shown nothing and removes it edits nothing; a replica calls that an edit, for its log does not show it.
        guard let choice = shown.choice else { return isWhole && named.allSatisfy { $0.value == .null } ? [] : [place] }
        if let made = shown.made, rules.field != nil { return named.allSatisfy { $0.value == made } ? shown.maximal : [place] }
        var bearers: [Int] = []
        for candidate in [choice] + shown.maximal.filter({ $0 != choice }) {
            var repeats = true
            for field in named where repeats {
                guard let value = value(of: field.name, shownBy: candidate, rules, intervals) else { return nil }
                repeats = value == field.value
            }
            if repeats { bearers.append(candidate) } else if candidate == choice { return [place] }
        }
        return bearers
    }
}

extension RegisterRules {
    /// What a put gives the register: a field, or all that it names where the register is the record; nil where it does not name the field.
    fileprivate func values(in fields: FieldMap) -> FieldMap? {
        guard let field else { return fields }
        return fields[field].map { [field: $0] }
    }

    /// Whether everything that a write wanted is shown by another all the same: the value is equal, or, where the register is the record,
    /// all its fields have equal values there.
    func keeps(_ loser: TaggedWrite, in winner: TaggedWrite) -> Bool {
        guard let lost = loser.fields, !winner.isDelete else { return loser.isDelete && winner.isDelete }
        guard let field else { return lost.allSatisfy { winner.value(of: $0.name) == $0.value } }
        return lost[field] == winner.value(of: field)
    }
}
