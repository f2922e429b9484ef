import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncModel
import SyncSystem

/// A sort of word that logs hold and a shell may offer.
package enum LogWord: String, Hashable, Sendable, CaseIterable {
    /// The ids of conflicts.
    case ids
    /// `TYPE.FIELD`.
    case fields
    /// Types of records.
    case types
    /// Devices.
    case devices
}

/// The words of a log's last lines that a shell may offer.
///
/// Shells read words again: a name that holds more than letters, digits, dots, dashes and underscores might be a command to one of them,
/// and is left out.
struct LogWords {
    /// How many lines are read, and how many words are kept: enough to choose from, and read while a person waits for them.
    private static let limit = 5_000

    private let kind: LogWord
    private var seen: Set<String> = []
    /// The words, the latest first, each after a tab with what tells it from the others, where anything does.
    private(set) var lines: [String] = []

    /// No words of a kind.
    init(_ kind: LogWord) { self.kind = kind }

    /// Reads the last lines of a log; what is no log tells nothing.
    mutating func read(path: String) {
        guard (try? FileStatus(path: path))?.isRegular == true, var lines = try? BackwardLines(path: path) else { return }
        var decoder = LineDecoder(numbersWrites: false)
        for _ in 0..<Self.limit {
            guard let line = try? lines.next() else { return }
            guard case .bytes(let bytes, _) = line, case .line(let line)? = try? decoder.decode(bytes.span) else { continue }
            observe(line.event)
        }
    }

    private mutating func observe(_ event: AuditEvent) {
        switch (kind, event.content) {
        case (.ids, .conflict(let conflict)): add("\(conflict.id)", conflict.candidate)
        case (.fields, .conflict(let conflict)):
            if let field = conflict.field { add("\(conflict.key.type).\(field)") }
        case (.fields, .write(let write)): for field in write.fieldNames ?? [] { add("\(write.key.type).\(field)") }
        case (.types, .conflict(let conflict)): add(conflict.key.type.rawValue)
        case (.types, .write(let write)): add(write.key.type.rawValue)
        case (.devices, .conflict(let conflict)): for side in [conflict.winner, conflict.loser] { add(side.dot.device.rawValue) }
        case (.devices, .write(let write)): add(write.dot.device.rawValue)
        default: break
        }
    }

    private mutating func add(_ word: String, _ description: String? = nil) {
        guard lines.count < Self.limit, word.isPlainToShells, seen.insert(word).inserted else { return }
        lines.append(word + (description.map { "\t" + $0.escaped(for: .terminal) } ?? ""))
    }

    /// The logs that a command line is about: those that it names, else those of the configuration, else the newest of the working
    /// directory.
    static func logs(among words: [String], _ context: CommandContext) -> [String] {
        let named = words.flatMap { (try? Operands.files($0)) ?? [] }
        if !named.isEmpty { return named }
        if let path = context.configurationFile(), let configuration = try? AuditConfiguration(contentsOfFile: path) {
            let configured = configuration.logs.flatMap { (try? Operands.files($0)) ?? [] }
            if !configured.isEmpty { return configured }
        }
        let names = (try? namesInDirectory(".")) ?? []
        let dated = names.filter { Operands.isLog($0) }.compactMap { name in (try? FileStatus(path: name)).map { (name, $0.modified) } }
        return dated.max { $0.1 < $1.1 }.map { [$0.0] } ?? []
    }
}

extension String {
    /// Whether every shell takes the string for itself: an empty one or an option's beginning would be taken for something else.
    fileprivate var isPlainToShells: Bool {
        !isEmpty && !hasPrefix("-")
            && unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar)
            }
    }
}
