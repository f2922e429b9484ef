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

/// What a replica's log is to hold.
enum LogExtent: CaseIterable {
    /// Conflicts, and every write, so that the log can be replayed.
    case everything
    /// As it is by default.
    case conflicts
    /// There is no log; conflicts are counted all the same.
    case nothing
}

/// A replica on a SQLite store with the audit's log beside it, both as they are by default.
final class AuditedReplica {
    let replica: Replica
    let log: AuditLogWriter?

    init(directory: String, device: DeviceID = "phone", extent: LogExtent = .everything) throws {
        var configuration = ReplicaConfiguration()
        configuration.reportsWrites = extent == .everything
        var logging = AuditLogWriter.Configuration()
        // A transaction of any size hands over all its lines at once.
        logging.maximumQueuedLines = 1 << 20
        logging.maximumQueuedBytes = 1 << 30
        let name = device.rawValue
        log = extent == .nothing ? nil : try AuditLogWriter(directory: directory, name: name, source: device, configuration: logging)
        configuration.sink = log
        replica = try Replica(
            device: device, store: SQLiteStore(path: "\(directory)/\(device.rawValue).sqlite"), configuration: configuration)
    }

    /// Makes sure that nothing was dropped: the log's thread writes while the replica works, and forces the last of it onto the disk here.
    func finish() {
        guard let log else { return }
        precondition(log.flush(), "the log could not be written: \(log.statistics)")
        precondition(log.statistics.linesDropped == 0, "\(log.statistics.linesDropped) lines of the log were dropped")
    }
}

func key(_ id: String) -> RecordKey { RecordKey(type: "Card", id: RecordID(id)) }

/// The seconds that a body takes, by the clock on the wall or, with `--cpu`, those that its thread was given a processor.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = Moment(CLOCK_THREAD_CPUTIME_ID)
    try body()
    return start.elapsed
}

/// The same of work that moves from thread to thread; with `--cpu`, the time of all threads together.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = Moment(CLOCK_PROCESS_CPUTIME_ID)
    try await body()
    return start.elapsed
}

/// When something began, by the clock that counts in this run.
private struct Moment {
    let clock: clockid_t
    let start: Double

    init(_ processorClock: clockid_t) {
        clock = CommandLine.arguments.contains("--cpu") ? processorClock : CLOCK_MONOTONIC
        start = Self.seconds(clock)
    }

    var elapsed: Double { Self.seconds(clock) - start }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        return sorted.isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
