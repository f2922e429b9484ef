import ConflictAudit
import Foundation
import SyncLayer
import SyncLayerTesting
package import SyncMerge
import SyncModel
import SyncOracle
package import Testing

/// Devices that change from one set of rules to another at different moments, with writes unsent and unfetched, among concurrent puts and deletes: all end
/// in one state.
package enum RulesChange {
    private static let choices: [MergePolicy] = [
        .lastWriterWins, .firstWriterWins, .maximum, .minimum, .preferDevices(["b", "a"]), .manual,
        .custom(
            CustomPolicy(name: "largest") { context in
                func value(_ put: TaggedWrite) -> FieldValue { put.value(of: context.field ?? "n") ?? .null }
                let largest = context.candidates.max { value($0) == value($1) ? $0.precedes($1) : value($0) < value($1) }
                return largest.map { .winner($0.dot) } ?? .undecided
            }),
    ]

    /// Every pair that is allowed for fields.
    package static let fieldPairs: [(MergePolicy, MergePolicy)] = choices.flatMap { old in (choices + [.counter, .set]).map { (old, $0) } }

    /// Lets devices write, sync and change over one after the other.
    package static func check(
        seed: UInt64, _ old: MergeRules, _ new: MergeRules, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let what = "\(old.standard) and \(old.deletes) to \(new.standard) and \(new.deletes), seed \(seed)"
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let devices = try ["a", "b", "c"].map { try Device($0, hub: hub, clock: clock, rules: old) }
        var changed = [false, false, false]
        for step in 0..<60 {
            let index = Int(random.next() % 3)
            let device = devices[index]
            clock.advance(by: .milliseconds(Int64(random.next() % 3)))
            // They change over one after the other, in the middle of it.
            if step >= 25, !changed[index], random.next() % 8 == 0 {
                try device.reopen(new)
                changed[index] = true
            }
            let key = RecordKey(type: "card", id: RecordID("\(random.next() % 4)"))
            switch random.next() % 10 {
            case 0: try device.replica.delete(key)
            case 1...3: _ = try? await device.sync()
            default: try write(to: key, of: device, by: changed[index] ? new : old, &random)
            }
        }
        for (index, device) in devices.enumerated() where !changed[index] { try device.reopen(new) }
        for device in devices + devices { try await device.sync() }
        let fresh = try Device("d", hub: hub, clock: clock, rules: new)
        try await fresh.sync()
        let wanted = try #require(try devices[0].replica.checkpoint(), "\(what)", sourceLocation: sourceLocation)
        for device in devices[1...] + [fresh] {
            #expect(try device.replica.checkpoint() == wanted, "\(what): \(device.name)", sourceLocation: sourceLocation)
            for key in try devices[0].replica.records(ofType: "card") {
                let shown = try device.replica.get(key.key)
                #expect(shown == key.fields, "\(what): \(device.name), \(key.key)", sourceLocation: sourceLocation)
            }
        }
        // What is counted beside the records is what they add up to.
        let count = try devices[0].replica.records(ofType: "card").count
        #expect(wanted.records == count, "\(what)", sourceLocation: sourceLocation)
    }

    /// A value of the type that a policy can add up.
    private static func fit(_ value: FieldValue, to policy: MergePolicy) -> FieldValue {
        switch policy {
        case .counter: value.array?.first ?? value
        case .set: value == .null || value.array != nil ? value : [value]
        default: value
        }
    }

    private static func write(to key: RecordKey, of device: Device, by rules: MergeRules, _ random: inout SplitMix64) throws {
        let number = FieldValue.number(JSONNumber(Int64(random.next() % 5)))
        for field in ["n", "m"] as [FieldName] where random.next() % 2 == 0 {
            switch rules.policy(for: "card", field: field) {
            case .counter where random.next() % 4 != 0: try device.replica.increment(field, of: key)
            case .set where random.next() % 4 != 0:
                if random.next() % 2 == 0 {
                    try device.replica.add([number], to: field, of: key)
                } else {
                    try device.replica.remove([number], from: field, of: key)
                }
            case let policy:
                let value = random.next() % 6 == 0 ? .null : random.next() % 3 == 0 ? [number] : number
                try device.replica.put([field: fit(value, to: policy)], to: key)
            }
        }
    }
}
