import Foundation

/// A file with what an output must be, in the folder `Golden` beside the test that asks.
///
/// To make the files anew after a change that is meant, run the tests with `UPDATE_GOLDEN=1` in the environment. They are written then, and every test that
/// wrote something other than before fails, so that nobody takes it for a pass: read the difference, commit it, and run the tests again without.
public struct GoldenFile {
    private let url: URL

    /// The file of a name.
    public init(_ name: String, test: String = #filePath) {
        url = URL(filePath: test).deletingLastPathComponent().appending(path: "Golden/\(name)")
    }

    /// What is wrong with an output; nil where it is that of the file.
    public func problem(with output: String) -> String? {
        let golden = try? String(contentsOf: url, encoding: .utf8)
        if golden == output { return nil }
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            do {
                try output.write(to: url, atomically: true, encoding: .utf8)
                return "\(url.lastPathComponent) was written: read what changed in it, and run the tests again without UPDATE_GOLDEN"
            } catch {
                return "\(url.path) cannot be written: \(error)"
            }
        }
        guard let golden else { return "\(url.path) is missing; UPDATE_GOLDEN=1 makes it" }
        let (expected, written) = (golden.components(separatedBy: "\n"), output.components(separatedBy: "\n"))
        let line = zip(expected, written).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(expected.count, written.count)
        func text(_ lines: [String]) -> String { line < lines.count ? "\(String(reflecting: lines[line]).prefix(300))" : "nothing" }
        return "\(url.lastPathComponent), line \(line + 1): \(text(expected)) is expected, and \(text(written)) was written"
    }
}
