import Foundation

/// The path of a file among the package's samples, such as `traces/business-cards.jsonl`.
package func sample(_ name: String) -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.deletingLastPathComponent().appending(path: "Samples/\(name)").path
}
