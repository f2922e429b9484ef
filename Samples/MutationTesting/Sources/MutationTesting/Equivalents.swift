import Foundation

/// The mutants that change nothing that anyone could notice, each with the reason.
struct Equivalents {
    private struct Entry: Decodable {
        let file: String
        let line: String
        let mutation: String
        let because: String
    }

    private(set) var reasons: [Mutant.Identity: String] = [:]

    /// Reads a file of one JSON object a line.
    init(path: String) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        for (index, line) in lines.enumerated() {
            guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(line.utf8)) else {
                throw Failure("\(path):\(index + 1): this is no object with file, line, mutation and because")
            }
            reasons[Mutant.Identity(file: entry.file, line: entry.line, mutation: entry.mutation)] = entry.because
        }
    }
}
