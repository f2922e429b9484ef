import Foundation
import SyncBytes
import SyncModel
package import Testing

extension JSONSchema {
    /// The schema of lines that is published with the documentation.
    package static func ofLines() throws -> JSONSchema {
        try JSONSchema(try Repository.text("Sources/Log/AuditLog/AuditLog.docc/Resources/syncaudit-line-1.schema.json"))
    }

    /// Expects that lines are as the schema says.
    ///
    /// - Parameters:
    ///   - count: How many there are at least.
    ///   - stride: Which of them are held against it: 1 for each.
    package mutating func expectValid(
        _ text: String, atLeast count: Int = 1, every stride: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let lines = text.split(separator: "\n")
        #expect(lines.count >= count, sourceLocation: sourceLocation)
        for index in Swift.stride(from: 0, to: lines.count, by: stride) {
            let problems = problems(with: try JSONParser.parse(String(lines[index])))
            #expect(problems == [], "\(lines[index].prefix(500))", sourceLocation: sourceLocation)
        }
    }
}
