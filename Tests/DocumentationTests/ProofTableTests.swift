import Foundation
import Testing

/// The table of what causality and a window find in the real history is what the command finds there.
@Suite struct ProofTableTests {
    private struct Conflict: Decodable, Hashable {
        let id: String
        let severity: String
        let gapMs: Int64

        var isLoss: Bool { ["lossy", "destructive", "divergent"].contains(severity) }
    }

    private func conflicts(in path: String) throws -> [Conflict] {
        try Command.output(["audit", path]).split(separator: "\n").map { try JSONDecoder().decode(Conflict.self, from: Data($0.utf8)) }
    }

    @Test(arguments: ["README.md", "Sources/syncaudit/syncaudit.docc/WhatAConflictIs.md"])
    func theTableIsWhatIsFound(page: String) throws {
        let happened = try conflicts(in: RealTrace.path)
        let lost = Set(happened.filter(\.isLoss).map(\.id))
        let directory = try TemporaryDirectory()
        let timestamps = try RealTrace.text().replacing(/,"seen":\{[^}]*\}/, with: "").replacing(/,"received":"[^"]*"/, with: "")
        let suspected = Set(try conflicts(in: try directory.create("timestamps.jsonl", timestamps)).map(\.id))
        let right = suspected.intersection(happened.map(\.id)).count
        #expect(suspected.isDisjoint(with: lost))

        let text = try Repository.text(page)
        for row in [
            "| **\(happened.count)**, proven | **\(lost.count)** |\n",
            "| \(suspected.count) suspected: \(right) of the \(happened.count), and \(suspected.count - right) that never happened "
                + "| **none** of the \(lost.count) |\n",
        ] { #expect(text.contains(row), "\(row)") }
        let days = happened.map(\.gapMs).sorted()[happened.count / 2] / 86_400_000
        #expect(try Repository.prose(page).contains("more than \(days) days apart"))
    }
}
