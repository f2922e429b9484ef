package import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// A configuration that a trace speaks for.
///
/// A value type; its owner guards it.
package struct ConfigurationProposal: EventObserver, Sendable {
    /// The logs to read where a command line names none.
    package var logs: [String] = []
    /// Why each policy is in it, a sentence without its full stop each.
    package private(set) var reasons: [String] = []

    /// The fields of each type that hold strings.
    private var strings: [RecordType: Set<FieldName>] = [:]
    private var deletes: String?
    private var policies: [RecordType: [FieldName?: String]] = [:]
    private var bookkeeping: [RecordType: Set<FieldName>] = [:]

    /// How many types, and fields of one, are looked at: enough for any app.
    private static let maximumCount = 1000

    /// Nothing yet.
    package init() {}

    /// Looks at a line.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        if case .write(let write) = line.event.content { observe(write) }
    }

    private mutating func observe(_ write: TaggedWrite) {
        guard strings[write.key.type] != nil || strings.count < Self.maximumCount else { return }
        guard case .put(let fields) = write.operation else { return strings[write.key.type, default: []].formUnion([]) }
        for field in fields {
            let isString = field.value.string != nil && strings[write.key.type]?.count ?? 0 < Self.maximumCount
            strings[write.key.type, default: []].formUnion(isString ? [field.name] : [])
        }
    }

    /// Takes in what a replay recommends, as far as no person has to decide.
    ///
    /// - Returns: The rest.
    package mutating func take(_ recommendations: [Recommendation]) -> [Recommendation] {
        var rest: [Recommendation] = []
        for recommendation in recommendations {
            let register = recommendation.register
            switch recommendation.policy {
            case "manual": rest.append(recommendation)
            // It holds for every type, and was measured for one.
            case let policy where policy.hasPrefix("deletes=") && strings.count > 1: rest.append(recommendation)
            case let policy where policy.hasPrefix("deletes="):
                deletes = String(policy.dropFirst("deletes=".count))
                reasons.append("\(register.type): \(recommendation.reason)")
            case Recommendation.bookkeeping:
                bookkeeping[register.type, default: []].formUnion(register.field.map { [$0] } ?? [])
                reasons.append("\(register.type).\(register.field?.rawValue ?? ""): \(recommendation.reason)")
            default:
                policies[register.type, default: [:]][register.field] = recommendation.policy
                let name = register.field.map { "\(register.type).\($0)" } ?? register.type.rawValue
                reasons.append("\(name): \(recommendation.reason)")
            }
        }
        return rest
    }

    /// The content of the file.
    package var text: String {
        var parts: [String] = []
        if !logs.isEmpty { parts.append("  \"logs\": [\(logs.map(\.jsonText).joined(separator: ", "))]") }
        if let deletes { parts.append("  \"deletes\": \(deletes.jsonText)") }
        let types = Set(strings.keys).union(policies.keys).sorted().map { type in
            var parts: [String] = []
            if let policy = policies[type]?[nil] { parts.append("      \"policy\": \(policy.jsonText)") }
            if let name = displayField(of: type) { parts.append("      \"name\": \(name.rawValue.jsonText)") }
            var rules: [FieldName: String] = [:]
            for case (let field?, let policy) in policies[type] ?? [:] { rules[field] = "\"policy\": \(policy.jsonText)" }
            for field in bookkeeping[type] ?? [] { rules[field] = "\"bookkeeping\": true" }
            let fields = rules.ordered { $0.key < $1.key }.map { "        \($0.key.rawValue.jsonText): {\($0.value)}" }
            if !fields.isEmpty { parts.append("      \"fields\": {\n\(fields.joined(separator: ",\n"))\n      }") }
            return "    \(type.rawValue.jsonText): {" + (parts.isEmpty ? "}" : "\n\(parts.joined(separator: ",\n"))\n    }")
        }
        parts.append("  \"types\": {\n\(types.joined(separator: ",\n"))\n  }")
        return "{\n\(parts.joined(separator: ",\n"))\n}\n"
    }

    private func displayField(of type: RecordType) -> FieldName? {
        let fields = (strings[type] ?? []).sorted()
        let names = RecordNames.usualFields.map { $0.rawValue.lowercased() }.flatMap { [$0, type.rawValue.lowercased() + $0] }
        return names.lazy.compactMap { name in fields.first { $0.rawValue.filter { $0 != "_" }.lowercased() == name } }.first
    }
}

extension String {
    fileprivate var jsonText: String {
        var buffer = LineBuffer()
        JSONText.append(self, to: &buffer)
        return String(decoding: buffer.array, as: UTF8.self)
    }
}
