import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncLines
package import SyncMerge

/// Audits lines of a trace by one set of rules, as the whole trace was audited.
package struct TraceJudge: Sendable {
    private let mergeRules: MergeRules
    /// What is looked for and reported.
    let auditRules: AuditRules
    private let reading: LineReading

    /// A judge of certain rules.
    ///
    /// - Parameters:
    ///   - mergeRules: The rules by which the replicas that wrote the trace merge.
    ///   - auditRules: What is looked for and reported.
    ///   - reading: What is taken besides the format itself.
    package init(mergeRules: MergeRules, auditRules: AuditRules, reading: LineReading = LineReading()) {
        self.mergeRules = mergeRules
        self.auditRules = auditRules
        self.reading = reading
    }

    /// The conflicts in some lines, without values.
    ///
    /// - Throws: ``AuditLogError`` where one of the lines cannot be read.
    package func conflicts(in lines: [UInt8]) throws -> [Conflict] {
        var audit = TraceAudit(
            mergeRules: mergeRules, auditRules: auditRules, privacy: .omitted, reading: reading, maximumLineLength: 32 << 20,
            blockSize: 16 << 10)
        var found = AuditedConflicts()
        try audit.audit(
            lines: { bytes throws(ReadingError) in
                bytes += lines
                return false
            }, name: "the cut trace", { found.append($0) })
        try audit.finish { found.append($0) }
        return found.conflicts
    }

    /// Whether some lines give a verdict.
    func finds(_ verdict: ConflictVerdict, in lines: [TraceLine]) throws -> Bool {
        guard !lines.isEmpty else { return false }
        return try conflicts(in: lines.flatMap(\.bytes)).contains { ConflictVerdict($0) == verdict }
    }
}

/// Reads the lines that an audit writes back as conflicts.
package struct AuditedConflicts {
    /// What was read.
    package private(set) var conflicts: [Conflict] = []
    private var decoder = LineDecoder(numbersWrites: false)
    /// The key with the beginning of the identifier, which is near the beginning of a line.
    private let needle: [UInt8]

    /// A reader.
    ///
    /// - Parameter prefix: The beginning of the identifiers of those that are wanted; nil for all.
    package init(prefix: ConflictIDPrefix? = nil) {
        needle = prefix.map { Array("\"id\":\"\($0)".utf8) } ?? []
    }

    /// Reads whole lines.
    package mutating func append(_ lines: [UInt8]) {
        for line in lines.split(separator: UInt8(ascii: "\n")) where needle.isEmpty || line.prefix(256).contains(needle) {
            let line = Array(line)
            if case .line(let line)? = try? decoder.decode(line.span), case .conflict(let conflict) = line.event.content {
                conflicts.append(conflict)
            }
        }
    }
}
