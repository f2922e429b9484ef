// An app with an observed store, in a process of its own, to be killed.
//
// ObserverProcess DIRECTORY [INTERRUPTION]: goes on where the store in a directory is, to the end of its script; where an interruption is given, it kills itself
// at the so-manieth of the observer's steps. With the name of a flush policy at the end, the sink is a log in the directory; otherwise what it is told is in the
// file `log`, a line for each conflict.
import AuditLog
import ConflictAudit
import SyncModel
import SyncObservation
import SyncSystem

/// Appends lines to a file, each in one write, so that a kill leaves whole lines.
final class Lines: Sendable {
    private let descriptor: Int32

    init(_ path: String, emptied: Bool = false) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (emptied ? O_TRUNC : 0), 0o644)
    }

    func append(_ line: String) { _ = writeBytes(Array((line + "\n").utf8), to: descriptor) }
}

struct ConflictLines: AuditSink {
    let lines: Lines

    func record(_ event: AuditEvent) {
        guard case .conflict(let conflict) = event.content else { return }
        let value = conflict.loser.value?.string ?? "-"
        lines.append(
            "\(conflict.id) \(conflict.key) \(conflict.field?.rawValue ?? "-") \(value) \(conflict.isProven ? "proven" : "suspected")")
    }
}

/// What the store holds of one step, once it has happened.
struct Step {
    let round: Int
    let action: Action

    enum Action: Int, CaseIterable {
        case save
        case export
        case arrive
    }

    static let rounds = 6

    static let all = (0..<rounds).flatMap { round in Action.allCases.map { Step(round: round, action: $0) } }

    /// Every other record has stamps.
    var key: RecordKey { RecordKey(type: round % 2 == 0 ? "Card" : "Note", id: "1") }

    var transaction: Int64 { Int64(round * 2 + (action == .arrive ? 2 : 1)) }

    /// Two rounds of three are exported.
    var exports: Bool { round % 3 != 0 }
}

/// The store: how many steps have happened, and the stamps that were saved.
struct Store {
    private let path: String
    private let lines: Lines
    private(set) var stamps: [String?] = []

    init(_ path: String) {
        self.path = path
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0, let bytes = try? readBytes(descriptor, at: 0, count: 1 << 20) {
            stamps = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0 == "-" ? nil : String($0) }
        }
        if descriptor >= 0 { close(descriptor) }
        lines = Lines(path)
    }

    mutating func happened(_ stamp: String? = nil) {
        lines.append(stamp ?? "-")
        stamps.append(stamp)
    }
}

func tell(_ step: Step, _ stamp: String?, _ observer: SyncObserver) throws {
    switch step.action {
    case .save:
        var fields: FieldMap = ["title": .string("mine \(step.round)")]
        if let stamp { fields["stamp"] = .string(stamp) }
        try observer.saved([LocalChange(step.key, .put(fields), isNew: step.round < 2)], transaction: step.transaction)
    case .export: break
    case .arrive:
        try observer.arrived([Arrival(step.key, .put(["title": .string("theirs \(step.round)")]), transaction: step.transaction)])
    }
}

func play(_ observer: SyncObserver, _ store: inout Store) throws {
    // What the store's history holds is told again: which of it the observer has heard, it knows.
    for (step, stamp) in zip(Step.all, store.stamps) { try tell(step, stamp, observer) }
    for step in Step.all.dropFirst(store.stamps.count) {
        switch step.action {
        case .save:
            let change = LocalChange(step.key, .put(["title": .string("mine \(step.round)")]), isNew: step.round < 2)
            store.happened(try observer.stamps(for: change)["stamp"]?.string)
        case .export:
            if step.exports {
                try observer.exportBegan()
                try observer.exportSucceeded()
            }
            store.happened()
        case .arrive: store.happened()
        }
        try tell(step, store.stamps.last ?? nil, observer)
    }
}

let directory = CommandLine.arguments[1]
let interruption = CommandLine.arguments.dropFirst(2).lazy.compactMap { Int($0) }.first
let flushes: [String: FlushPolicy] = ["eachLine": .eachLine, "interval": .interval(.milliseconds(1)), "onDemand": .onDemand]
let reached = Locked(0)
var configuration = SyncObserver.Configuration(device: "phone", installation: "1")
configuration.levels["Note"] = .fieldStamps(["title": "stamp"])
var store = Store("\(directory)/store")
var sink = BroadcastingAuditSink([ConflictLines(lines: Lines("\(directory)/log"))])
if let flush = CommandLine.arguments.last.flatMap({ flushes[$0] }) {
    var logging = AuditLogWriter.Configuration()
    logging.flush = flush
    logging.sync = .never
    logging.values = .full
    // Small enough that the log is rotated on the way.
    logging.rotation = .daily(maximumBytes: 4096)
    sink = BroadcastingAuditSink([try AuditLogWriter(directory: directory, source: "phone", configuration: logging)])
}
let observer = try SyncObserver(
    configuration, path: "\(directory)/shadow", sink: sink, wallClock: { WallTime(millisecondsSince1970: 1_768_485_600_000) },
    interruption: { step in
        let number = reached.withLock { number in
            defer { number += 1 }
            return number
        }
        guard number == interruption else { return }
        Lines("\(directory)/killed").append("\(step)")
        kill(getpid(), SIGKILL)
    })
try play(observer, &store)
// The list of this launch alone: an earlier one may have come as far, and have been killed after it.
let listed = Lines("\(directory)/lost", emptied: true)
for conflict in try observer.lostEdits { listed.append("\(conflict.key) \(conflict.loser.value?.string ?? "-")") }
Lines("\(directory)/steps").append("\(reached.withLock { $0 })")
