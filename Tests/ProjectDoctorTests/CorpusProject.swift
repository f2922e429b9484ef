import Foundation
import ProjectDoctor

/// A project of the corpus and what is true of it, which was written before the doctor was asked.
struct CorpusProject: Decodable, Sendable {
    /// What the project is, as a sentence.
    let about: String
    /// What must be told.
    let expected: [Statement]
    /// What is true as well and need not be told.
    let allowed: [Statement]
    /// Lines of which no error and no warning is true.
    let nearMisses: [NearMiss]

    /// Something that is true of a project.
    struct Statement: Decodable, Sendable {
        let severity: String
        /// Where it may be told: a path and a line, or 0 for any line of the file.
        let at: [Location]
        /// Identifiers of rules that may tell it, or their first parts with a dot at the end.
        let rules: [String]
        /// Words of which one must be in the finding, where the rules say more than this.
        let words: [String]?
        let why: String
    }

    /// A line that looks like a fault and is none.
    struct NearMiss: Decodable, Sendable {
        let at: [Location]
        let why: String
    }

    struct Location: Decodable, Sendable, Hashable, CustomStringConvertible {
        let path: String
        let line: Int

        init(from decoder: any Decoder) throws {
            let string = try decoder.singleValueContainer().decode(String.self)
            guard let colon = string.lastIndex(of: ":"), let line = Int(string[string.index(after: colon)...]) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no line in \(string)"))
            }
            path = String(string[..<colon])
            self.line = line
        }

        var description: String { "\(path):\(line)" }

        /// Whether a finding is there, or at most some lines away.
        func includes(_ location: SourceLocation, within lines: Int) -> Bool {
            path == location.path && (line == 0 || abs(line - location.line) <= lines)
        }
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus").path

    /// The names of all projects, sorted.
    static let names: [String] = {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return found.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/EXPECTED.json") }.sorted()
    }()

    static func named(_ name: String) throws -> CorpusProject {
        let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name)/EXPECTED.json"))
        return try JSONDecoder().decode(CorpusProject.self, from: data)
    }
}

extension CorpusProject.Statement {
    /// Whether a finding tells this, whatever its severity.
    func isTold(by finding: Finding) -> Bool {
        guard rules.contains(where: { finding.rule == $0 || ($0.hasSuffix(".") && finding.rule.hasPrefix($0)) }) else { return false }
        if let words {
            let told = "\(finding.rule) \(finding.message) \(finding.fix)".lowercased()
            guard words.contains(where: { told.contains($0.lowercased()) }) else { return false }
        }
        return at.contains { $0.includes(finding.location, within: 2) }
    }

    func isExactly(_ finding: Finding) -> Bool { at.contains { $0.includes(finding.location, within: 0) } }
}

/// How many findings of one or more projects are true, and how much of what is true was found.
struct CorpusTally: CustomStringConvertible {
    private(set) var trueCount: [Rule.Severity: Int] = [:]
    private(set) var falseCount: [Rule.Severity: Int] = [:]
    private(set) var expectedCount = 0
    private(set) var foundCount = 0
    /// What was said and is not true, and what is true and was not said.
    private(set) var mistakes: [String] = []

    /// Judges what the doctor says of a project; advice is not counted.
    mutating func judge(_ name: String, _ project: CorpusProject, _ findings: [Finding]) {
        var found: Set<Int> = []
        for finding in findings where finding.severity != .advice {
            let told = project.expected.indices.filter { project.expected[$0].isTold(by: finding) }
            let exact = told.filter { project.expected[$0].isExactly(finding) }
            // An error where a warning is true is false.
            let met = (exact.isEmpty ? told : exact).filter {
                finding.severity == .warning || project.expected[$0].severity == finding.severity.rawValue
            }
            let isAllowed = finding.severity == .warning && project.allowed.contains { $0.isTold(by: finding) }
            let nearMiss = project.nearMisses.first { $0.at.contains { $0.includes(finding.location, within: 0) } }
            guard nearMiss == nil || !exact.isEmpty, isAllowed || !met.isEmpty else {
                falseCount[finding.severity, default: 0] += 1
                let why = nearMiss.map { "; \($0.why)" } ?? ""
                mistakes.append("\(name): false \(finding.severity) \(finding.rule) \(finding.location.text): \(finding.message)\(why)")
                continue
            }
            trueCount[finding.severity, default: 0] += 1
            found.formUnion(met.filter { project.expected[$0].severity == finding.severity.rawValue })
        }
        expectedCount += project.expected.count
        foundCount += found.count
        for (index, statement) in project.expected.enumerated() where !found.contains(index) {
            mistakes.append("\(name): not told, \(statement.severity) \(statement.rules[0]) \(statement.at[0]): \(statement.why)")
        }
    }

    /// How many of the findings of a severity are true, in percent.
    func truth(_ severity: Rule.Severity) -> Double {
        let (right, wrong) = (trueCount[severity, default: 0], falseCount[severity, default: 0])
        return right + wrong == 0 ? 100 : 100 * Double(right) / Double(right + wrong)
    }

    var recall: Double { expectedCount == 0 ? 100 : 100 * Double(foundCount) / Double(expectedCount) }

    var description: String {
        let counts = [Rule.Severity.error, .warning].map { "\($0)s \(trueCount[$0, default: 0]) true, \(falseCount[$0, default: 0]) false" }
        return (counts + ["\(foundCount) of \(expectedCount) found"] + mistakes).joined(separator: "\n")
    }
}

extension SourceLocation {
    fileprivate var text: String { "\(path):\(line)" }
}
