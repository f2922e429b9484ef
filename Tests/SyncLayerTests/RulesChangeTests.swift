import ConflictAudit
import FleetHistories
import Foundation
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Devices that change from one set of rules to another at different moments, with writes unsent and unfetched, among concurrent puts and deletes.
@Suite struct RulesChangeTests {
    @Test(arguments: RulesChange.fieldPairs.indices)
    func aChangedFieldPolicyEndsInOneStateOnEveryDevice(pair: Int) async throws {
        let (old, new) = RulesChange.fieldPairs[pair]
        try await RulesChange.check(seed: 0, MergeRules(standard: .fields(old)), MergeRules(standard: .fields(new), version: 1))
    }

    @Test(arguments: DeletePolicy.allCases, DeletePolicy.allCases)
    func aChangedDeletePolicyEndsInOneStateOnEveryDevice(old: DeletePolicy, new: DeletePolicy) async throws {
        try await RulesChange.check(seed: 0, MergeRules(deletes: old), MergeRules(deletes: new, version: 1))
    }

    @Test func aLargeStoreChangesItsRulesOnceInLinearTime() async throws {
        try await withDirectory { directory in
            let store = try SQLiteStore(path: directory + "/store")
            var configuration = ReplicaConfiguration()
            let old = try Replica(device: "a", store: store, configuration: configuration)
            try old.write { batch in
                for number in 0..<2000 {
                    try batch.put(["n": .number(JSONNumber(number))], to: RecordKey(type: "card", id: RecordID("\(number)")))
                }
            }
            configuration.mergeRules = MergeRules(fields: ["card": ["n": .counter]], version: 1)
            let new = try Replica(device: "a", store: store, configuration: configuration)
            #expect(try new.checkpoint() == old.checkpoint())
            try new.increment("n", of: RecordKey(type: "card", id: "1999"))
            #expect(try new.get(RecordKey(type: "card", id: "1999")) == ["n": 2000])
            try store.checkIntegrity()
        }
    }
}
