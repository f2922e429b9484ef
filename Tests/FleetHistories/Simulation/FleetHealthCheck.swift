import AuditAnalysis
import AuditLog
import ConflictAudit
import ConflictAuditTesting
import SyncBytes
import SyncModel
import SyncOracle
import Testing

/// What logs tell of the health of sync, held against what happened.
@MainActor
package enum FleetHealthCheck {
    /// The summary of what the devices logged, as it is read back from lines, some of it by another reader and put together.
    private static func summary(of fleet: SimulatedFleet) throws -> Summary {
        var halves = [Summary(), Summary()]
        for device in fleet.devices {
            var (decoder, bytes) = (LineDecoder(), [UInt8]())
            for (index, event) in device.sink.events.enumerated() {
                bytes.removeAll(keepingCapacity: true)
                LineEncoder.append(AuditLine(sequence: UInt64(index + 1), source: device.name, event: event), to: &bytes)
                guard case .line(let line) = try decoder.decode(Array(bytes.dropLast()).span) else { continue }
                halves[index % 2].observe(line.event, source: line.source)
            }
        }
        halves[1].merge(halves[0])
        let object = try #require(try JSONParser.parse(String(decoding: JSONRenderer().render(halves[1]), as: UTF8.self)).object)
        return try Summary(json: object)
    }

    /// Whether a histogram is one of some lengths: as many, and each percentile no more than 1/64 above the true one.
    private static func isHistogram(_ histogram: GapHistogram, of lengths: [Int64]) -> Bool {
        guard histogram.count == lengths.count else { return false }
        let sorted = lengths.sorted()
        return [0.0, 0.25, 0.5, 0.75, 0.95, 0.99, 1].allSatisfy { share in
            guard let told = histogram.percentileMilliseconds(share) else { return sorted.isEmpty }
            let exact = sorted[max(1, Int((share * Double(sorted.count)).rounded(.up))) - 1]
            return told >= exact && told <= exact + exact / 64
        }
    }

    /// The spans without a network: how many, together, and the longest.
    private static func offline(_ changes: [(at: Int64, isOnline: Bool)], until end: Int64) -> [Int64] {
        var spans: [Int64] = []
        var since: Int64?
        for change in changes.sorted(by: { $0.at < $1.at }) {
            if !change.isOnline, since == nil { since = change.at }
            if change.isOnline, let start = since {
                spans.append(change.at - start)
                since = nil
            }
        }
        if let since { spans.append(max(0, end - since)) }
        return [Int64(spans.count), spans.reduce(0, +), spans.max() ?? 0]
    }

    /// What became of the app on a device.
    private static func expectShowing(_ health: SyncHealth.Device, of device: SimulatedFleet.Device, _ comment: Comment) {
        let (app, showing) = (device.notebook.app, health.showing)
        #expect((showing == nil) == (app.lastLook == nil), comment)
        guard let showing, let last = app.lastLook else { return }
        #expect(showing.looks == app.looks.count, comment)
        #expect(showing.refreshes == app.looks.count { $0 == .refresh }, comment)
        #expect(app.reloads == app.looks.count { $0 == .refresh }, comment)
        #expect(showing.deferrals == app.looks.count { $0 == .deferred }, comment)
        #expect(showing.missedPulses == app.missed, comment)
        #expect(showing.leavesBehind == app.closedBehind, comment)
        #expect(showing.latest?.isBehind == last.isBehind, comment)
        let end = device.sink.events.filter { if case .write = $0.content { false } else { true } }.map(\.time.millisecondsSince1970).max()
        let isSilent = last.isOpen && (end ?? 0) - last.at > 2 * SimulatedFleet.pulse
        #expect(health.pulseStopped == (isSilent ? last.at : nil), comment)
    }

    /// Holds each number of the health that logs tell against the notebooks of the devices.
    ///
    /// - Parameter isLong: Whether everything that can happen must have happened to some device.
    package static func check(devices: Int, steps: Int, seed: UInt64, isLong: Bool) async throws {
        let fleet = try SimulatedFleet(devices: devices, seed: seed)
        try await fleet.run(steps: steps)
        let summary = try summary(of: fleet)
        let end = try #require(summary.newestMilliseconds)
        #expect(summary.health.devices.count == fleet.devices.count && summary.health.others == nil)
        for device in fleet.devices {
            let (notes, health) = (device.notebook, try #require(summary.health.devices[device.name]))
            let comment = Comment(rawValue: "seed \(seed), \(device.name)")
            for phase in SyncActivity.Phase.allCases {
                func count(_ phases: [SyncActivity.Phase]) -> Int { phases.count { $0 == phase } }
                let tally = health.phases[phase] ?? SyncHealth.PhaseTally()
                #expect(tally.succeeded == count(notes.succeeded), comment)
                #expect(tally.failed == count(notes.failed), comment)
                #expect(tally.cancelled == count(notes.cancelled), comment)
                #expect(isHistogram(tally.durations, of: notes.durations.filter { $0.phase == phase }.map(\.milliseconds)), comment)
            }
            #expect(health.failures.values.reduce(0, +) + health.otherFailures == notes.failed.count, comment)
            #expect(health.lastSuccess == notes.lastSuccess, comment)
            let told = health.network.offline(until: end)
            #expect(
                [Int64(told.spans), told.totalMilliseconds, told.longestMilliseconds] == offline(notes.network, until: end), comment)
            #expect(health.account?.status.string == notes.account, comment)
            #expect(health.networkStatus.map { $0 == "connected" } == notes.network.last?.isOnline, comment)
            #expect(isHistogram(health.delivered, of: notes.delivered), comment)
            #expect(isHistogram(health.merged, of: notes.merged), comment)
            #expect(health.refused == notes.refused, comment)
            #expect(health.waiting?.status.writes == notes.left?.writes, comment)
            #expect(health.waiting?.status.bytes == notes.left?.bytes, comment)
            #expect(health.oldestAge(at: end) == notes.left?.oldest.map { max(0, end - $0) }, comment)
            expectShowing(health, of: device, comment)
        }
        if isLong { expectEverythingHappened(fleet, summary) }
    }

    /// Nothing of it holds because it never happened.
    private static func expectEverythingHappened(_ fleet: SimulatedFleet, _ summary: Summary) {
        let notebooks = fleet.devices.map(\.notebook)
        let apps = notebooks.map(\.app)
        #expect(RefreshDecision.allCases.allSatisfy { decision in apps.contains { $0.looks.contains(decision) } })
        #expect(apps.contains { $0.missed > 0 } && apps.contains { $0.closedBehind > 0 } && apps.contains { $0.isBehind })
        #expect(fleet.devices.contains { summary.health.devices[$0.name]?.pulseStopped != nil })
        for phase in SyncActivity.Phase.allCases {
            #expect(notebooks.contains { $0.succeeded.contains(phase) } && notebooks.contains { $0.failed.contains(phase) })
        }
        #expect(
            notebooks.contains { !$0.cancelled.isEmpty } && notebooks.contains { $0.refused > 0 } && notebooks.contains { $0.left != nil })
        #expect(notebooks.reduce(0) { $0 + $1.delivered.count } > 100 && notebooks.reduce(0) { $0 + $1.merged.count } > 1000)
        #expect(notebooks.contains { $0.network.contains { !$0.isOnline } } && notebooks.contains { $0.account == "noAccount" })
    }
}
