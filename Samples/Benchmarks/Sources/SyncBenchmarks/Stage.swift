import AuditLog
import ConflictAudit
import Foundation
import SyncLayer
import SyncModel

/// A directory that goes away with its owner.
final class ScratchDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "sync-benchmarks-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// A replica on a SQLite store with the audit's log beside it, both as they are by default.
final class AuditedReplica {
    let replica: Replica
    let log: AuditLogWriter?

    init(directory: String, device: DeviceID = "phone", isAudited: Bool = true) throws {
        var configuration = ReplicaConfiguration()
        var logging = AuditLogWriter.Configuration()
        // A transaction of any size hands over all its lines at once.
        logging.maximumQueuedLines = 1 << 20
        logging.maximumQueuedBytes = 1 << 30
        log = isAudited ? try AuditLogWriter(directory: directory, name: device.rawValue, source: device, configuration: logging) : nil
        configuration.sink = log
        replica = try Replica(
            device: device, store: SQLiteStore(path: "\(directory)/\(device.rawValue).sqlite"), configuration: configuration)
    }

    /// Ends the log, and with it the measurement, in an honest way: nothing may have been dropped.
    func finish() {
        guard let log else { return }
        precondition(log.flush(), "the log could not be written: \(log.statistics)")
        precondition(log.statistics.linesDropped == 0, "\(log.statistics.linesDropped) lines of the log were dropped")
    }
}

func key(_ id: String) -> RecordKey { RecordKey(type: "Card", id: RecordID(id)) }

/// The seconds that a body takes, by the clock on the wall or, with `--cpu`, those that its thread was given a processor.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    guard countsProcessorTime else { return try ContinuousClock().measure(body) / .seconds(1) }
    let start = processorSeconds()
    try body()
    return processorSeconds() - start
}

let countsProcessorTime = CommandLine.arguments.contains("--cpu")

private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        return sorted.isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
