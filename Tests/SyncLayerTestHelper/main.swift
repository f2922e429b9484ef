// The other process, where a test needs one. Its answers go to standard output, a line each, as they become true.
import ConflictAudit
import SyncLayer
import SyncMerge
import SyncModel
import SyncSystem

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}

/// Writes through one store beside other processes: a counter, and a record of its own for every step.
func writeRecords(store: String, name: String, count: Int) throws {
    let replica = try Replica(device: "shared", store: try SQLiteStore(path: store), configuration: configuration())
    for number in 1...count {
        let dot = try replica.write { batch in
            try batch.increment("n", of: RecordKey(type: "count", id: "all"))
            return try batch.put(["x": .string(name)], to: RecordKey(type: "note", id: RecordID("\(name)-\(number)")))
        }
        say("wrote \(dot)")
    }
}

/// Writes to a store of its own and syncs with a hub that other processes use.
func syncRecords(store: String, hub: String, name: String, count: Int) async throws {
    let replica = try Replica(device: DeviceID(name), store: try SQLiteStore(path: store), configuration: configuration())
    let engine = SyncEngine(replica: replica, hub: try SQLiteHub(path: hub))
    for number in 1...count {
        try replica.increment("n", of: RecordKey(type: "count", id: "all"))
        let dot = try replica.put(["x": .string(name)], to: RecordKey(type: "note", id: RecordID("\(name)-\(number)")))
        say("wrote \(dot)")
        _ = try await engine.sync()
    }
    say("synced")
}

/// Loses an edit with every step: another device, which is preferred, writes to the same record.
///
/// Every third edit is restored.
func loseEdits(store: String, other: String, hub: String, count: Int) async throws {
    let hub = try SQLiteHub(path: hub)
    let mine = try Replica(device: "a", store: try SQLiteStore(path: store), configuration: configuration())
    let theirs = try Replica(device: "b", store: try SQLiteStore(path: other), configuration: configuration())
    let first = try mine.records(ofType: "pair").count + 1
    for number in first..<(first + count) {
        let key = RecordKey(type: "pair", id: RecordID("\(number)"))
        try mine.put(["x": "mine"], to: key)
        try theirs.put(["x": "theirs"], to: key)
        _ = try await SyncEngine(replica: theirs, hub: hub).sync()
        _ = try await SyncEngine(replica: mine, hub: hub).sync()
        if number % 3 == 0, let lost = try mine.lostEdits(limit: 1).first { try mine.restore(lost) }
        say("lost \(number)")
    }
}

/// Opens a store as somebody who may not write there.
func openUnprivileged(store: String) {
    if getuid() == 0 {
        guard setgid(65_534) == 0, setuid(65_534) == 0 else { return say("cannot become nobody") }
    }
    do throws(SyncLayerError) {
        _ = try SQLiteStore(path: store, busyTimeout: .milliseconds(100))
        say("opened")
    } catch {
        say("\(error.code): \(error)")
    }
}

func configuration() -> ReplicaConfiguration {
    var configuration = ReplicaConfiguration()
    configuration.mergeRules.fields = ["count": ["n": .counter], "pair": ["x": .preferDevices(["b"])]]
    return configuration
}

let arguments = CommandLine.arguments
do {
    switch arguments.dropFirst().first {
    case "write": try writeRecords(store: arguments[2], name: arguments[3], count: Int(arguments[4]) ?? 0)
    case "sync": try await syncRecords(store: arguments[2], hub: arguments[3], name: arguments[4], count: Int(arguments[5]) ?? 0)
    case "lose":
        try await loseEdits(store: arguments[2], other: arguments[3], hub: arguments[4], count: Int(arguments[5]) ?? 0)
    case "open": openUnprivileged(store: arguments[2])
    default: say("what?")
    }
} catch {
    say("failed: \(error)")
    exit(1)
}
