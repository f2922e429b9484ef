import ConflictAudit
public import SyncLayer
import SyncModel

/// What every `Hub` must do.
///
/// ```swift
/// for check in HubConformance.checks { try await check.run(InMemoryHub()) }
/// ```
///
/// Each check wants a hub that nothing has been pushed to; it may be at a server that runs somewhere.
public enum HubConformance {
    /// All properties.
    public static let checks: [ConformanceCheck<any Hub>] = [
        ConformanceCheck("every write gets a position in one order and the hub's time") { hub in
            let start = try await hub.now()
            let outcomes =
                try await hub.push([put("a", 1), put("a", 2)], from: "a") + hub.push([put("b", 1)], from: "b")
            let receipts = outcomes.compactMap { if case .accepted(let receipt) = $0 { receipt } else { nil } }
            try expectEqual(receipts.map(\.hubSequence), [1, 2, 3], "positions in the hub's order")
            let times = [start] + receipts.compactMap(\.time) + [try await hub.now()]
            try expect(times.count == 5 && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "the hub's times go forward: \(times)")
            let page = try await hub.pull(PullRequest(device: "c", cursor: 0))
            try expectEqual(page.writes, zip([put("a", 1), put("a", 2), put("b", 1)], receipts).map { $0.received($1) }, "writes")
            try expectEqual(page.cursor, 3, "cursor")
            try expect(!page.hasMore && page.bytes > 0, "the end is known")
        },
        ConformanceCheck("a write pushed again has no second effect and keeps its receipt") { hub in
            let first = try await hub.push([put("a", 1), put("a", 2)], from: "a")
            let again = try await hub.push([put("a", 1), put("a", 2), put("a", 3)], from: "a")
            try expectEqual(Array(again.prefix(2)), first, "the receipts of the first time")
            try expectEqual(
                try await hub.pull(PullRequest(device: "b", cursor: 0)).writes.map(\.dot.sequence), [1, 2, 3], "writes")
        },
        ConformanceCheck("another write under a name that is taken is told apart, and nothing behind it is taken") { hub in
            _ = try await hub.push([put("a", 1)], from: "a")
            func other(
                at milliseconds: Int64 = 1, key: RecordKey = key, _ operation: TaggedWrite.Operation = .put(["x": "1"]),
                saw seen: VersionVector = [:]
            ) -> TaggedWrite {
                TaggedWrite(dot: dot("a", 1), timestamp: time(milliseconds), key: key, operation: operation, seen: seen)
            }
            let others = [
                ("timestamp", other(at: 2)), ("record", other(key: RecordKey(type: "note", id: "2"))),
                ("value", other(.put(["x": "other"]))), ("operation", other(.delete)), ("context", other(saw: ["b": 1])),
            ]
            for (difference, write) in others {
                let outcomes = try await hub.push([write, put("a", 2)], from: "a")
                try expectEqual(outcomes, [.numberTaken, .numberTaken], "outcomes, where the \(difference) is another")
            }
            let writes = try await hub.pull(PullRequest(device: "b", cursor: 0)).writes
            try expectEqual(writes.map { $0.value(of: "x") }, ["1"], "values")
        },
        ConformanceCheck("a write older than one of its device that is there finds its number taken") { hub in
            _ = try await hub.push([put("a", 1), put("a", 3)], from: "a")
            try expectEqual(try await hub.push([put("a", 2), put("a", 4)], from: "a"), [.numberTaken, .numberTaken], "outcomes")
        },
        ConformanceCheck("a write that no store or line can hold is refused, and the rest goes through") { hub in
            var deep: FieldValue = 1
            for _ in 0..<300 { deep = [deep] }
            func write(_ number: UInt64, _ fields: FieldMap = [:], at milliseconds: Int64 = 1, type: RecordType = "note") -> TaggedWrite {
                TaggedWrite(
                    dot: dot("a", number), timestamp: time(milliseconds), key: RecordKey(type: type, id: "1"), operation: .put(fields),
                    seen: [:])
            }
            let long = RecordType(String(repeating: "x", count: 5000))
            let writes = [
                put("a", 1), write(2, ["x": deep]), write(3, at: .max), write(4, type: ""), write(5, type: long), put("a", 6), write(.max),
            ]
            try expectEqual(
                try await hub.push(writes, from: "a").map(isRefused), [false, true, true, true, true, false, true], "refused")
            let found = try await hub.pull(PullRequest(device: "b", cursor: 0)).writes
            try expectEqual(found.map(\.dot.sequence), [1, 6], "writes")
            try await hub.giveBack(GivenBackWrites(device: "a", writes: Array(writes[1...4]), acknowledged: 6, isLast: true))
            let all = try await hub.pull(PullRequest(device: "b", cursor: 0)).writes
            try expectEqual(all.map(\.dot.sequence), [1, 6], "writes, after the others were given back")
        },
        ConformanceCheck("nobody pushes for another device") { hub in
            do {
                _ = try await hub.push([put("a", 1)], from: "b")
            } catch { return }
            throw ConformanceFailure(description: "the write of another device was taken")
        },
        ConformanceCheck("pages follow each other without gap or overlap") { hub in
            for number in 1...7 as ClosedRange<UInt64> {
                _ = try await hub.push(
                    [put(number.isMultiple(of: 2) ? "a" : "b", number)], from: number.isMultiple(of: 2) ? "a" : "b")
            }
            var cursor: UInt64 = 0
            var found: [UInt64] = []
            var isMore = true
            while isMore {
                let page = try await hub.pull(PullRequest(device: "c", cursor: cursor, limit: 3))
                try expect(page.writes.count <= 3, "a page is no longer than asked for")
                try expect(page.cursor > cursor || !page.hasMore, "the cursor moves")
                try expectEqual(
                    page.writes.count + page.leftOut + page.skipped.count, Int(clamping: page.cursor - cursor), "positions accounted for")
                found += page.writes.map(\.dot.sequence)
                (cursor, isMore) = (page.cursor, page.hasMore)
            }
            try expectEqual(found, Array(1...7), "writes")
            try expectEqual(try await hub.pull(PullRequest(device: "c", cursor: cursor)).writes, [], "after the end")
        },
        ConformanceCheck("a device is not given the writes of its own that it knows") { hub in
            _ = try await hub.push([put("a", 1), put("a", 2)], from: "a")
            _ = try await hub.push([put("b", 1)], from: "b")
            let page = try await hub.pull(PullRequest(device: "a", cursor: 0, ownSequence: 1))
            try expectEqual(page.writes.map(\.dot), [Dot(device: "a", sequence: 2), Dot(device: "b", sequence: 1)], "writes")
            try expectEqual(page.leftOut, 1, "left out")
            let rest = try await hub.pull(PullRequest(device: "b", cursor: 2, ownSequence: 1))
            try expectEqual(rest.writes, [], "its own")
            try expectEqual(rest.cursor, 3, "the cursor passes what was left out")
        },
        ConformanceCheck("deletes, nulls, what was seen and what is carried come through unchanged") { hub in
            let seen: VersionVector = ["a": 1, "b": 7]
            let writes = [
                TaggedWrite(
                    dot: dot("a", 1), timestamp: time(5), key: key, operation: .put(["x": .null, "y": [1.50, "\u{e9}"]]), seen: [:],
                    carried: ["z": .null, "w": "w"]),
                TaggedWrite(dot: dot("a", 2), timestamp: time(6), key: key, operation: .delete, seen: seen),
            ]
            _ = try await hub.push(writes, from: "a")
            let found = try await hub.pull(PullRequest(device: "b", cursor: 0)).writes
            try expectEqual(found.map(\.operation), writes.map(\.operation), "operations")
            try expectEqual(found.map(\.seen), [[:], seen], "what was seen")
            try expectEqual(found.map(\.carried), writes.map(\.carried), "what is carried")
            try expectEqual(found.map(\.timestamp), [time(5), time(6)], "timestamps")
        },
        ConformanceCheck("reports are kept: cursors never go back, a clock stands until measured again") { hub in
            let measurement = ClockMeasurement(device: "b", offset: .milliseconds(-40), uncertainty: .milliseconds(3))
            _ = try await hub.push((1...4).map { put("a", $0) }, from: "a")
            try await hub.report(DeviceReport(device: "b", cursor: 4, clock: measurement, rulesVersion: 3))
            try await hub.report(DeviceReport(device: "a", cursor: 0))
            try await hub.report(DeviceReport(device: "b", cursor: 2, rulesVersion: 1))
            let wanted = [
                DeviceReport(device: "a", cursor: 0), DeviceReport(device: "b", cursor: 4, clock: measurement, rulesVersion: 3),
            ]
            try expectEqual(try await hub.devices(), wanted, "reports")
            let given = [put("a", 1), put("b", 1)]
            for device in ["a", "b"] as [DeviceID] {
                try await hub.giveBack(GivenBackWrites(device: device, writes: given, acknowledged: 1, isLast: true))
            }
            try expectEqual(try await hub.devices(), wanted, "reports, after writes were given back")
        },
        ConformanceCheck("settled is what every known device has merged") { hub in
            try expectEqual(try await hub.settled(), [:], "nobody is known")
            _ = try await hub.push([put("a", 1), put("a", 2)], from: "a")
            _ = try await hub.push([put("b", 1), put("b", 2)], from: "b")
            try await hub.report(DeviceReport(device: "a", cursor: 4))
            try expectEqual(try await hub.settled(), [:], "b has merged nothing")
            try await hub.report(DeviceReport(device: "b", cursor: 3))
            try expectEqual(try await hub.settled(), ["a": 2, "b": 1], "up to the third")
            try await hub.report(DeviceReport(device: "c", cursor: 0))
            try expectEqual(try await hub.settled(), [:], "a new device has merged nothing")
        },
        ConformanceCheck("a forgotten device holds nothing back and is turned away") { hub in
            _ = try await hub.push([put("a", 1)], from: "a")
            try await hub.report(DeviceReport(device: "a", cursor: 1))
            try await hub.report(DeviceReport(device: "lost", cursor: 0))
            try await hub.forget("lost")
            try expectEqual(try await hub.settled(), ["a": 1], "settled")
            try expectEqual(try await hub.devices().map(\.device), ["a"], "devices")
            for attempt in 0...2 {
                do {
                    if attempt == 0 { _ = try await hub.push([put("lost", 1)], from: "lost") }
                    if attempt == 1 {
                        try await hub.giveBack(GivenBackWrites(device: "lost", writes: [], acknowledged: 0, isLast: true))
                    }
                    try await hub.report(DeviceReport(device: "lost", cursor: 1))
                } catch let error as SyncLayerError {
                    try expectEqual(error.code, .deviceForgotten, "the error")
                    continue
                }
                throw ConformanceFailure(description: "a forgotten device was let in")
            }
        },
        ConformanceCheck("a device with a new name is not waited for under the old one, until that is used again") { hub in
            _ = try await hub.push([put("a", 1)], from: "a")
            try await hub.report(DeviceReport(device: "a", cursor: 1))
            try await hub.report(DeviceReport(device: "b", cursor: 0))
            try expectEqual(try await hub.settled(), [:], "b has merged nothing")
            try await hub.report(DeviceReport(device: "b~1", cursor: 1, predecessor: "b"))
            try expectEqual(try await hub.settled(), ["a": 1], "b has merged everything under its new name")
            try expectEqual(try await hub.push([put("b", 1)], from: "b"), [.numberTaken], "a push that the network has kept back")
            try await hub.report(DeviceReport(device: "b", cursor: 0))
            try expectEqual(try await hub.settled(), [:], "a copy of b has merged nothing")
            let outcome = try await hub.push([put("b", 1)], from: "b")
            try expect(isAccepted(outcome, at: 2), "what the copy pushes")
        },
        ConformanceCheck("giving back makes nobody wait for a name that has not reported since") { hub in
            _ = try await hub.push([put("a", 1)], from: "a")
            try await hub.report(DeviceReport(device: "b", cursor: 0))
            let devices: [DeviceID] = ["a", "b~00000001"]
            for device in devices { try await hub.report(DeviceReport(device: device, cursor: 1, predecessor: "b")) }
            try await hub.giveBack(GivenBackWrites(device: "b", writes: [put("c", 1)], acknowledged: 0, isLast: true))
            try expectEqual(try await hub.settled(), ["a": 1], "of b only its later name is waited for")
            for device in devices { try await hub.report(DeviceReport(device: device, cursor: 2)) }
            try expectEqual(try await hub.settled(), ["a": 1, "c": 1], "c has not been heard of but by what b gave back")
            try await hub.report(DeviceReport(device: "c", cursor: 0))
            try expectEqual(try await hub.settled(), [:], "c has come, and has merged nothing")
            try await hub.giveBack(GivenBackWrites(device: "b", writes: [put("d", 1)], acknowledged: 0, isLast: true))
            try expectEqual(try await hub.push([put("d", 2)], from: "d", after: 1), [.numberTaken], "d has not come")
            do {
                _ = try await hub.push([put("d", 3)], from: "d", after: 2)
                throw ConformanceFailure(description: "d had more at another hub")
            } catch let error as SyncLayerError where error.code == .hubReplaced {}
            try await hub.report(DeviceReport(device: "d", cursor: 0))
            let outcome = try await hub.push([put("d", 2)], from: "d", after: 1)
            try expect(isAccepted(outcome, at: 4), "d has come")
        },
        ConformanceCheck("only the last of what a device gives back makes the hub have all that it ever sent") { hub in
            for isLast in [false, true] {
                try await hub.giveBack(GivenBackWrites(device: "a", writes: [put("b", 1)], acknowledged: 3, isLast: isLast))
                let page = try await hub.pull(PullRequest(device: "a", cursor: 0))
                try expectEqual(page.latestNumber, isLast ? 3 : 0, "the latest number of a, last: \(isLast)")
            }
        },
        ConformanceCheck("a device that knows another order is told so") { hub in
            _ = try await hub.push([put("a", 1), put("a", 2)], from: "a")
            let page = try await hub.pull(PullRequest(device: "b", cursor: 0, limit: 1))
            guard let position = page.position else { throw ConformanceFailure(description: "a page without a position") }
            let rest = try await hub.pull(PullRequest(device: "b", cursor: 1, position: position))
            try expectEqual(rest.writes.map(\.dot.sequence), [2], "the rest")
            try expect(rest.position?.epoch == position.epoch && rest.position != position, "another place of the same hub")
            try expectEqual(rest.latestNumber, 0, "the latest number of b")
            try expectEqual(try await hub.pull(PullRequest(device: "a", cursor: 2)).latestNumber, 2, "the latest number of a")
            let otherHub = HubPosition(epoch: position.epoch ^ 1, fingerprint: position.fingerprint)
            let otherOrder = HubPosition(epoch: position.epoch, fingerprint: position.fingerprint ^ 1)
            for request in [
                PullRequest(device: "b", cursor: 1, position: otherHub), PullRequest(device: "b", cursor: 1, position: otherOrder),
                PullRequest(device: "b", cursor: 3, position: position), PullRequest(device: "b", cursor: 3),
            ] {
                let report = DeviceReport(device: request.device, cursor: request.cursor, position: request.position)
                let reached = HubPlace(cursor: request.cursor, position: request.position)
                let calls: [() async throws -> Void] = [
                    { _ = try await hub.pull(request) }, { try await hub.report(report) },
                    { _ = try await hub.push(PushRequest(device: "b", writes: [put("b", 1)], reached: reached)) },
                    {
                        try await hub.giveBack(
                            GivenBackWrites(device: "b", writes: [put("c", 1)], acknowledged: 0, isLast: true, reached: reached))
                    },
                ]
                for (number, call) in calls.enumerated() {
                    do {
                        try await call()
                    } catch let error as SyncLayerError where error.code == .hubReplaced { continue }
                    throw ConformanceFailure(description: "another order was not told apart by call \(number): \(request)")
                }
            }
            try await hub.report(DeviceReport(device: "b", cursor: 1, position: position))
            let reached = HubPlace(cursor: 1, position: position)
            let end = try await hub.giveBack(
                GivenBackWrites(device: "b", writes: [put("c", 1)], acknowledged: 0, isLast: true, reached: reached))
            try expectEqual(end.cursor, 3, "the end of the order")
            let all = try await hub.pull(PullRequest(device: "b", cursor: 0))
            try expect(all.position == end.position && all.cursor == end.cursor, "what is given back ends where a page does")
            let pushed = try await hub.push(PushRequest(device: "b", writes: [put("b", 1)], reached: end))
            try expect(isAccepted(pushed, at: 4), "what is pushed behind it")
        },
        ConformanceCheck("what was forgotten is taken back from any device, each write once") { hub in
            _ = try await hub.push([put("a", 1)], from: "a")
            func give(_ writes: [TaggedWrite], isLast: Bool) async throws {
                try await hub.giveBack(GivenBackWrites(device: "b", writes: writes, acknowledged: 7, isLast: isLast))
            }
            try await give([put("a", 1, value: "other"), put("c", 5)], isLast: false)
            try expect(try await !hub.pull(PullRequest(device: "d", cursor: 0)).isWhole, "it is there in parts")
            for _ in 0...1 { try await give([put("c", 3), put("c", 5), put("b", 2)], isLast: true) }
            let page = try await hub.pull(PullRequest(device: "d", cursor: 0))
            try expectEqual(page.writes.map(\.dot), [dot("a", 1), dot("c", 5), dot("c", 3), dot("b", 2)], "writes")
            try expectEqual(page.writes.first?.value(of: "x"), "1", "the one that it had")
            try expect(page.isWhole, "it is there")
            // The network has kept this one back.
            try await give([put("c", 3)], isLast: false)
            for cursor in [0, 4] as [UInt64] {
                try await hub.report(DeviceReport(device: "b", cursor: cursor))
                let isWhole = try await hub.pull(PullRequest(device: "d", cursor: 0)).isWhole
                try expectEqual(isWhole, cursor > 0, "whether all is there once b has come to \(cursor)")
            }
            let unsent = GivenBackWrites(device: "b", writes: [], acknowledged: 7, isLast: true, awaitsPush: true)
            try await hub.giveBack(unsent)
            try expect(try await !hub.pull(PullRequest(device: "d", cursor: 0)).isWhole, "b has more to push")
            try await hub.report(DeviceReport(device: "b", cursor: 4))
            try expect(try await hub.pull(PullRequest(device: "d", cursor: 0)).isWhole, "b has pushed")
            try await give([put("c", 3)], isLast: false)
            for (name, isDone) in [("c", false), ("b~1234567", false), ("b~12345678", true)] as [(DeviceID, Bool)] {
                try await hub.report(DeviceReport(device: name, cursor: 4))
                let isWhole = try await hub.pull(PullRequest(device: "d", cursor: 0)).isWhole
                try expectEqual(isWhole, isDone, "whether all is there once \(name) has come to 4")
            }
            let later = GivenBackWrites(device: "b~12345678", writes: [], acknowledged: 0, isLast: false)
            for name in ["b", "b~9abcdef0"] as [DeviceID] {
                try await hub.giveBack(later)
                try expect(try await !hub.pull(PullRequest(device: "d", cursor: 0)).isWhole, "a later writer of b gives back")
                try await hub.report(DeviceReport(device: name, cursor: 4))
                try expect(try await hub.pull(PullRequest(device: "d", cursor: 0)).isWhole, "\(name) is the same device")
            }
            try expectEqual(try await hub.pull(PullRequest(device: "b", cursor: 0)).latestNumber, 7, "what b's numbers had come to")
            try expectEqual(try await hub.push([put("b", 6)], from: "b"), [.numberTaken], "a number that was given before")
            try expectEqual(try await hub.push([put("b", 8), put("b", 9)], from: "b").count, 2, "the next numbers")
            try expectEqual(
                try await hub.pull(PullRequest(device: "d", cursor: 4)).writes.map(\.dot.sequence), [8, 9], "the next writes")
        },
        ConformanceCheck("what is given back by a device without a name is not taken") { hub in
            do {
                try await hub.giveBack(GivenBackWrites(device: "", writes: [put("a", 1)], acknowledged: 0, isLast: true))
            } catch let error as SyncLayerError {
                try expectEqual(error.code, .invalidValue, "the error")
                try expectEqual(try await hub.pull(PullRequest(device: "b", cursor: 0)).writes, [], "writes")
                return
            }
            throw ConformanceFailure(description: "a device without a name gave something back")
        },
        ConformanceCheck("nothing is taken before what was forgotten") { hub in
            _ = try await hub.push([put("a", 1), put("a", 2)], from: "a")
            try expectEqual(try await hub.push([put("a", 3)], from: "a", after: 2).count, 1, "what comes next")
            do {
                _ = try await hub.push([put("a", 5)], from: "a", after: 4)
                throw ConformanceFailure(description: "a write came before one that was forgotten")
            } catch let error as SyncLayerError where error.code == .hubReplaced {}
            let numbers = try await hub.pull(PullRequest(device: "b", cursor: 0)).writes.map(\.dot.sequence)
            try expectEqual(numbers, [1, 2, 3], "numbers")
        },
        ConformanceCheck("own writes on the borders of pages are left out once, and names that only look alike are others") { hub in
            // One letter, and a letter with a mark.
            let (one, two): (DeviceID, DeviceID) = ("\u{e9}", "e\u{301}")
            for number in 1...6 as ClosedRange<UInt64> {
                for device in [one, two] { _ = try await hub.push([put(device, number)], from: device) }
            }
            for limit in 1...4 {
                var request = PullRequest(device: one, cursor: 0, ownSequence: 5, limit: limit)
                var found: [Dot] = []
                var leftOut = 0
                while true {
                    let page = try await hub.pull(request)
                    found += page.writes.map(\.dot)
                    leftOut += page.leftOut
                    (request.cursor, request.position) = (page.cursor, page.position)
                    if !page.hasMore { break }
                }
                try expectEqual(found, (1...6).map { dot(two, $0) }.dropLast() + [dot(one, 6), dot(two, 6)], "writes, \(limit) a page")
                try expectEqual(leftOut, 5, "left out, \(limit) a page")
            }
        },
        ConformanceCheck("of a push that is too large nothing is taken, and by halves all of it is") { hub in
            let writes = (1...4000).map { put("a", $0) }
            do {
                _ = try await hub.push(writes, from: "a")
            } catch let error as SyncLayerError where error.code == .batchTooLarge {
                try expectEqual(try await hub.pull(PullRequest(device: "b", cursor: 0)).writes, [], "writes of the push that was refused")
            }
            var (left, size) = (writes[...], writes.count)
            while !left.isEmpty {
                do {
                    let outcomes = try await hub.push(Array(left.prefix(size)), from: "a")
                    try expect(outcomes.allSatisfy { if case .accepted = $0 { true } else { false } }, "all are accepted")
                    left = left.dropFirst(size)
                } catch let error as SyncLayerError where error.code == .batchTooLarge {
                    try expect(size > 1, "one write is not too many")
                    size /= 2
                }
            }
            let last = try await hub.pull(PullRequest(device: "b", cursor: 3999))
            try expectEqual(last.writes.map(\.dot.sequence), [4000], "the last write")
        },
        ConformanceCheck("many devices at once lose nothing") { hub in
            try await withThrowingTaskGroup { group in
                for device in ["a", "b", "c", "d"] as [DeviceID] {
                    group.addTask {
                        for number in stride(from: 1 as UInt64, to: 21, by: 2) {
                            _ = try await hub.push([put(device, number), put(device, number + 1)], from: device)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let writes = try await hub.pull(PullRequest(device: "e", cursor: 0)).writes
            try expectEqual(writes.compactMap(\.receipt?.hubSequence), Array(1...80), "places")
            for device in ["a", "b", "c", "d"] as [DeviceID] {
                try expectEqual(writes.filter { $0.dot.device == device }.map(\.dot.sequence), Array(1...20), "the writes of \(device)")
            }
        },
    ]

    static let key = RecordKey(type: "note", id: "1")

    static func dot(_ device: DeviceID, _ number: UInt64) -> Dot { Dot(device: device, sequence: number) }

    static func time(_ milliseconds: Int64) -> HybridTimestamp { HybridTimestamp(milliseconds: milliseconds, counter: 2) }

    /// Whether one write was taken, at a position of the hub's order.
    private static func isAccepted(_ outcomes: [PushOutcome], at position: UInt64) -> Bool {
        guard outcomes.count == 1, case .accepted(let receipt) = outcomes[0] else { return false }
        return receipt.hubSequence == position
    }

    static func put(_ device: DeviceID, _ number: UInt64, value: String? = nil) -> TaggedWrite {
        TaggedWrite(
            dot: dot(device, number), timestamp: time(Int64(number)), key: key,
            operation: .put(["x": .string(value ?? String(number))]), seen: [:])
    }

    private static func isRefused(_ outcome: PushOutcome) -> Bool {
        if case .refused = outcome { true } else { false }
    }
}
