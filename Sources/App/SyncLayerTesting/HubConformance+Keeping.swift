public import SyncLayer
import SyncModel

extension HubConformance {
    /// What every hub must do that outlasts its program: each call of what a check is given opens the same hub again, as after its program
    /// was killed.
    ///
    /// ```swift
    /// for check in HubConformance.restartChecks { try await check.run { try SQLiteHub(path: path) } }
    /// ```
    public static let restartChecks: [ConformanceCheck<@Sendable () async throws -> any Hub>] = [
        ConformanceCheck("what a hub has said is so after a restart") { open in
            let first = try await open()
            let outcomes = try await first.push([put("a", 1), put("a", 2)], from: "a")
            try await first.report(DeviceReport(device: "a", cursor: 2, rulesVersion: 3, rulesFingerprint: 7))
            try await first.report(DeviceReport(device: "b", cursor: 1))
            try await first.forget("c")
            let page = try await first.pull(PullRequest(device: "b", cursor: 0, limit: 1))
            let hub = try await open()
            try expectEqual(try await hub.push([put("a", 1), put("a", 2)], from: "a"), outcomes, "the receipts of the first time")
            let rest = try await hub.pull(PullRequest(device: "b", cursor: page.cursor, position: page.position))
            try expectEqual(rest.writes.map(\.dot), [dot("a", 2)], "what comes behind a page of before")
            try expectEqual(rest.rulesVersion, 3, "version of rules")
            try expectEqual(try await hub.devices(), try await first.devices(), "reports")
            try expectEqual(try await hub.settled(), ["a": 1], "settled")
            do {
                _ = try await hub.push([put("c", 1)], from: "c")
                throw ConformanceFailure(description: "a device that was forgotten before the restart was taken in")
            } catch let error as SyncLayerError where error.code == .deviceForgotten {}
        },
        ConformanceCheck("an answer that is lost with the hub is given again") { open in
            for number in 1...5 as ClosedRange<UInt64> {
                // The first answer never came.
                _ = try await open().push([put("a", number)], from: "a", after: number - 1)
                let again = try await open().push([put("a", number)], from: "a", after: number - 1)
                try expect(again.count == 1 && again[0] != .numberTaken, "the write \(number) is known again")
            }
            let numbers = try await open().pull(PullRequest(device: "b", cursor: 0)).writes.map(\.dot.sequence)
            try expectEqual(numbers, Array(1...5), "numbers")
        },
    ]

    /// What every hub must do that lets go of writes.
    ///
    /// ```swift
    /// for check in HubConformance.compactionChecks { try await check.run(InMemoryHub()) }
    /// ```
    public static let compactionChecks: [ConformanceCheck<any CompactingHub>] = [
        ConformanceCheck("what a device has not merged is not let go of") { hub in
            _ = try await hub.push([put("a", 1), put("a", 2), put("a", 3)], from: "a")
            try await report(hub, "a", 2)
            try await report(hub, "b", 1)
            try expectEqual(try await hub.compact(compaction([1], limit: 0)).compacted, 0, "let go of, beyond the limit asked for")
            try expectEqual(try await hub.compact(compaction([], limit: 0)).limit, 1, "limit")
            try expectEqual(try await hub.compact(compaction([1, 2], limit: 2)), Compaction(limit: 1), "let go of, with a limit of before")
            try expectEqual(try await hub.compact(compaction([1, 2, 9], limit: 1)), Compaction(compacted: 1, limit: 1), "let go of")
            try expectEqual(try await hub.compact(compaction([1], limit: 1)).compacted, 0, "let go of again")
            try await hub.forget("b")
            try expectEqual(
                try await hub.compact(compaction([1, 2], limit: 2)), Compaction(compacted: 1, limit: 2), "let go of, once it is forgotten")
            try expectEqual(try await hub.pull(PullRequest(device: "c", cursor: 0)).writes.map(\.dot.sequence), [3], "writes")
        },
        ConformanceCheck("a page accounts for what was let go of, and nothing else changes") { hub in
            for number in 1...3 as ClosedRange<UInt64> {
                for device in ["a", "b"] as [DeviceID] { _ = try await hub.push([put(device, number)], from: device) }
            }
            let before = try await hub.pull(PullRequest(device: "c", cursor: 0, limit: 3))
            for device in ["a", "b"] as [DeviceID] { try await report(hub, device, 6) }
            let settled = try await hub.settled()
            let request = CompactionRequest(
                reached: HubPlace(), rulesFingerprint: fingerprint, limit: 6,
                compacted: [dot("a", 1), dot("a", 2), dot("b", 2), dot("b", 3)])
            try expectEqual(try await hub.compact(request).compacted, 4, "let go of")
            try expectEqual(try await hub.settled(), settled, "settled")
            let all = try await hub.pull(PullRequest(device: "c", cursor: 0))
            try expectEqual(all.writes.map(\.dot), [dot("b", 1), dot("a", 3)], "writes")
            try expectEqual(all.compacted, CompactedWrites(count: 4, latest: ["a": 2, "b": 3]), "compacted")
            let rest = try await hub.pull(PullRequest(device: "c", cursor: before.cursor, position: before.position))
            try expectEqual(rest.writes.map(\.dot), [dot("a", 3)], "writes behind a page of before")
            try expectEqual(rest.compacted, CompactedWrites(count: 2, latest: ["b": 3]), "compacted behind a page of before")
            let own = try await hub.pull(PullRequest(device: "a", cursor: 0, ownSequence: 3))
            try expectEqual(own.writes.map(\.dot), [dot("b", 1)], "writes of others")
            try expectEqual([own.leftOut, own.compacted.count, own.compacted.own.count], [1, 4, 0], "left out and compacted")
            var forgetful = PullRequest(device: "a", cursor: 0, ownSequence: 1, limit: 1)
            var ownNumbers: [UInt64] = []
            for _ in 0..<20 {
                let page = try await hub.pull(forgetful)
                ownNumbers += page.compacted.own.map(\.dot.sequence) + page.writes.filter { $0.dot.device == "a" }.map(\.dot.sequence)
                try expect(page.writes.count + page.compacted.own.count <= 1, "a page is no longer than asked for")
                (forgetful.cursor, forgetful.position) = (page.cursor, page.position)
                if !page.hasMore { break }
            }
            try expectEqual(ownNumbers, [2, 3], "its own beyond the number that it names, one a page")
            try expectEqual(own.latestNumber, 3, "the latest number")
            var (cursor, found) = (0 as UInt64, [Dot]())
            for _ in 0..<20 {
                let page = try await hub.pull(PullRequest(device: "c", cursor: cursor, limit: 1))
                try expectEqual(page.writes.count + page.compacted.count, Int(clamping: page.cursor - cursor), "positions accounted for")
                found += page.writes.map(\.dot)
                cursor = page.cursor
                if !page.hasMore { break }
            }
            try expectEqual(found, [dot("b", 1), dot("a", 3)], "writes, one a page")
            try expectEqual(cursor, 6, "the end")
        },
        ConformanceCheck("a name that was let go of is still taken, and its write still known") { hub in
            let receipts = try await hub.push([put("a", 1), put("a", 2)], from: "a")
            try await report(hub, "a", 2)
            _ = try await hub.compact(compaction([1], limit: 2))
            try expectEqual(try await hub.push([put("a", 1), put("a", 2)], from: "a"), receipts, "the receipts of the first time")
            try expectEqual(try await hub.push([put("a", 1, value: "other")], from: "a"), [.numberTaken], "the outcome of another write")
            try await hub.giveBack(GivenBackWrites(device: "b", writes: [put("a", 1)], acknowledged: 0, isLast: true))
            try expectEqual(try await hub.pull(PullRequest(device: "c", cursor: 0)).writes.map(\.dot.sequence), [2], "writes")
        },
        ConformanceCheck("nothing is let go of by other rules than all devices have") { hub in
            _ = try await hub.push([put("a", 1), put("a", 2)], from: "a")
            try await report(hub, "a", 2)
            try await hub.report(DeviceReport(device: "b", cursor: 2))
            for other in [nil, 8] as [UInt64?] {
                try await hub.report(DeviceReport(device: "b", cursor: 2, rulesFingerprint: other))
                do {
                    _ = try await hub.compact(compaction([1], limit: 2))
                    throw ConformanceFailure(description: "a write was let go of that a device with other rules may need")
                } catch let error as SyncLayerError where error.code == .rulesDiffer {}
            }
            try await report(hub, "b", 2)
            try await hub.report(DeviceReport(device: "b", cursor: 0))
            try expectEqual(try await hub.compact(compaction([1], limit: 2)).compacted, 1, "let go of, once all have the same")
        },
        ConformanceCheck("nothing is let go of while no device is known or one gives back") { hub in
            try expectEqual(try await hub.compact(compaction([1], limit: 0)), Compaction(), "in an empty hub")
            _ = try await hub.push([put("a", 1), put("a", 2)], from: "a")
            try await report(hub, "a", 2)
            try await hub.giveBack(GivenBackWrites(device: "a", writes: [], acknowledged: 2, isLast: false))
            try expectEqual(try await hub.compact(compaction([1], limit: 2)), Compaction(), "while one gives back")
            try await report(hub, "a", 2)
            try expectEqual(try await hub.compact(compaction([1], limit: 2)).compacted, 1, "afterwards")
        },
        ConformanceCheck("a decision about another state of the hub is refused") { hub in
            _ = try await hub.push([put("a", 1)], from: "a")
            try await report(hub, "a", 1)
            do {
                var request = compaction([1], limit: 1)
                request.reached = HubPlace(cursor: 2)
                _ = try await hub.compact(request)
                throw ConformanceFailure(description: "a write was let go of by what the hub does not have")
            } catch let error as SyncLayerError where error.code == .hubReplaced {}
        },
    ]

    private static let fingerprint: UInt64 = 7

    private static func compaction(_ numbers: [UInt64], limit: UInt64) -> CompactionRequest {
        CompactionRequest(
            reached: HubPlace(), rulesFingerprint: fingerprint, limit: limit, compacted: numbers.map { dot("a", $0) })
    }

    private static func report(_ hub: any CompactingHub, _ device: DeviceID, _ cursor: UInt64) async throws {
        try await hub.report(DeviceReport(device: device, cursor: cursor, rulesFingerprint: fingerprint))
    }
}
