import Foundation
import TemporaryDirectory
package import Testing

/// The table of what causality and a window find in the real history is what the command finds there.
package enum ProofTable {
    /// The pages that have it.
    package static let pages = ["README.md", "Sources/Desk/syncaudit/syncaudit.docc/WhatAConflictIs.md"]

    private struct Conflict: Decodable, Hashable {
        let id: String
        let severity: String
        let gapMs: Int64

        var isLoss: Bool { ["lossy", "destructive", "divergent"].contains(severity) }
    }

    /// Audited once for all pages.
    private static let happened = Result { try conflicts(in: RealTrace.path) }

    private static func conflicts(in path: String) throws -> [Conflict] {
        try Command.output(["audit", path]).split(separator: "\n").dropFirst().map {
            try JSONDecoder().decode(Conflict.self, from: Data($0.utf8))
        }
    }

    /// Expects what a page says of the conflicts that are proven.
    package static func checkProven(page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let happened = try happened.get()
        let row = "| **\(happened.count)**, proven | **\(happened.count(where: \.isLoss))** |\n"
        let text = try Repository.text(page)
        #expect(text.contains(row), "\(row)", sourceLocation: sourceLocation)
        let days = happened.map(\.gapMs).sorted()[happened.count / 2] / 86_400_000
        #expect(try Repository.prose(page).contains("more than \(days) days apart"), sourceLocation: sourceLocation)
    }

    /// Expects what a page says of the conflicts that timestamps alone find.
    package static func checkSuspected(page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let happened = try happened.get()
        let lost = Set(happened.filter(\.isLoss).map(\.id))
        let directory = try TemporaryDirectory()
        let timestamps = try RealTrace.text().replacing(/,"seen":\{[^}]*\}/, with: "").replacing(/,"received":"[^"]*"/, with: "")
        let suspected = Set(try conflicts(in: try directory.create("timestamps.jsonl", timestamps)).map(\.id))
        let right = suspected.intersection(happened.map(\.id)).count
        #expect(suspected.isDisjoint(with: lost), sourceLocation: sourceLocation)
        let row =
            "| \(suspected.count) suspected: \(right) of the \(happened.count), and \(suspected.count - right) that never happened "
            + "| **none** of the \(lost.count) |\n"
        #expect(try Repository.text(page).contains(row), "\(row)", sourceLocation: sourceLocation)
    }
}
