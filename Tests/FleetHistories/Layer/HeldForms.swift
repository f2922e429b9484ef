import ConflictAudit
import SyncLayer
import SyncLayerTesting
package import SyncMerge
import SyncModel
import SyncOracle
package import Testing

/// Forms that stay open while other devices write, held against what their users saw.
package enum HeldForms {
    /// A form and what its user has seen of the record: names of writes, kept by the test alone.
    private struct Form {
        let record: Record
        let seen: Set<Dot>
    }

    /// What a device has: who has written what, kept by the test alone.
    private struct Truth {
        /// Of each record, the writes that a device has merged.
        var merged: [DeviceID: [RecordKey: Set<Dot>]] = [:]
        /// Of each write, all that its author had seen of the record.
        var seen: [Dot: Set<Dot>] = [:]
        /// Of each write that came after others of its device than its form showed, what was merged then: at most that it may have seen.
        var mayHaveSeen: [Dot: Set<Dot>] = [:]
        var written: [Dot: (key: RecordKey, changes: FieldMap, shown: FieldMap)] = [:]
    }

    /// Lets users of three devices open forms, edit, save late, delete and sync.
    package static func check(
        seed: UInt64, scope: MergeRules.Scope = .fields(.lastWriterWins), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let rules = MergeRules(standard: scope, deletes: [.deleteWins, .editWins, .lastWriterWins][random.below(3)])
        let devices = try ["a", "b", "c"].map { try Device($0, hub: hub, clock: clock, rules: rules) }
        let keys = ["1", "2"].map { RecordKey(type: "card", id: $0) }
        var truth = Truth()
        var forms: [DeviceID: [Form]] = [:]
        func note(
            _ dot: Dot, _ key: RecordKey, _ changes: FieldMap, of shown: FieldMap = [:], seeing seen: Set<Dot>, on device: Device
        ) {
            // A device's own writes come one after the other, each with what they had seen.
            let own = truth.merged[device.name]?[key]?.filter { $0.device == dot.device } ?? []
            truth.seen[dot] = own.reduce(into: seen.union(own)) { $0.formUnion(truth.seen[$1] ?? []) }
            if !seen.isSuperset(of: own) { truth.mayHaveSeen[dot] = truth.merged[device.name]?[key] ?? [] }
            truth.written[dot] = (key, changes, shown)
            truth.merged[device.name, default: [:]][key, default: []].insert(dot)
        }
        for _ in 0..<90 {
            clock.advance(by: .milliseconds(Int64(random.below(40_000))))
            let device = devices[random.below(devices.count)]
            let key = keys[random.below(keys.count)]
            let merged = truth.merged[device.name]?[key] ?? []
            switch random.below(10) {
            case 0, 1:
                if let record = try device.replica.record(key) {
                    forms[device.name, default: []].append(Form(record: record, seen: merged))
                }
            case 2, 3, 4:
                guard let open = forms[device.name], !open.isEmpty else { continue }
                let index = random.below(open.count)
                let form = open[index]
                forms[device.name]?.remove(at: index)
                var fields = form.record.fields
                for name in [["x"], ["y"], ["x", "y"], ["z"]][random.below(4)] as [FieldName] {
                    fields[name] = random.percent(15) ? nil : .integer(random.below(4))
                }
                let changes = fields.changes(from: form.record.fields)
                let isThere = try device.replica.get(form.record.key) != nil
                let dot = try device.replica.put(fields, changedFrom: form.record)
                #expect(changes.isEmpty ? dot == nil : dot != nil || !isThere, "seed \(seed)", sourceLocation: sourceLocation)
                if let dot { note(dot, form.record.key, changes, of: form.record.fields, seeing: form.seen, on: device) }
            case 5:
                let fields: FieldMap = ["x": .integer(random.below(4)), "y": .integer(random.below(4))]
                let dot = try device.replica.put(fields, to: key)
                note(dot, key, fields, seeing: merged, on: device)
            case 6:
                if random.percent(40), let dot = try device.replica.delete(key) { note(dot, key, [:], seeing: merged, on: device) }
            default:
                try await device.sync()
                for write in device.sink.writes { truth.merged[device.name, default: [:]][write.key, default: []].insert(write.dot) }
            }
        }
        for device in devices + devices + devices { try await device.sync() }
        let new = try Device("new", hub: hub, clock: clock, rules: rules)
        try await new.sync()
        let digests = try Set((devices + [new]).map { try $0.replica.checkpoint()?.digest })
        #expect(digests.count == 1, "seed \(seed): the devices differ", sourceLocation: sourceLocation)

        let writes = new.sink.writes
        #expect(Set(writes.map(\.dot)) == Set(truth.written.keys), "seed \(seed)", sourceLocation: sourceLocation)
        for write in writes {
            let known = try #require(truth.written[write.dot], "seed \(seed)", sourceLocation: sourceLocation)
            // What is written beside the changes is what the form showed.
            for field in write.fields ?? [:] {
                let value = known.changes[field.name] ?? known.shown[field.name]
                let isOfLater = known.changes[field.name] == nil && truth.mayHaveSeen[write.dot] != nil
                #expect(field.value == value || isOfLater, "seed \(seed): \(write.dot)", sourceLocation: sourceLocation)
            }
            #expect(
                write.isDelete || known.changes.allSatisfy { write.fields?[$0.name] == $0.value }, "seed \(seed): \(write.dot)",
                sourceLocation: sourceLocation)
            for other in writes where other.key == write.key && other.dot != write.dot {
                let isSeen = write.seen?.covers(other.dot) ?? false || other.dot.device == write.dot.device && other.dot < write.dot
                let mustBe = truth.seen[write.dot]?.contains(other.dot) ?? false
                let mayBe = truth.mayHaveSeen[write.dot]?.contains(other.dot) ?? false
                #expect(
                    isSeen == mustBe || isSeen && mayBe, "seed \(seed): \(write.dot) and \(other.dot)",
                    sourceLocation: sourceLocation)
            }
        }
        // The trace, in another order, ends in what the replicas show.
        var auditor = TraceAuditor(mergeRules: rules)
        for write in writes.shuffled(using: &random) { auditor.observe(write) }
        let records = auditor.records()
        for key in keys {
            #expect(
                try records.first { $0.key == key }?.fields == new.replica.get(key), "seed \(seed): \(key)", sourceLocation: sourceLocation)
        }
    }
}
