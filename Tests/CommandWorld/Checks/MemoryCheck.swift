import Foundation
import SyncAuditCommands
import SyncOracle
import Testing

/// `audit --memory` and `--grouped`: what comes out does not depend on how many records are held.
package struct MemoryCheck {
    private struct Outcome: Equatable {
        let code: ExitCode
        let output: String
        let errors: String
        let state: String?
    }

    private let directory: TemporaryDirectory
    private let lines: [String]
    private let writesPerLook: Int?

    /// A trace of writes at random.
    ///
    /// - Parameter writesPerLook: How many writes pass between two looks at the memory in use; nil for as many as usual. There must be more writes.
    package init(records: Int, writes: Int, writesPerLook: Int? = nil) throws {
        directory = try TemporaryDirectory()
        lines = Self.trace(records: records, writes: writes)
        self.writesPerLook = writesPerLook
    }

    /// Lines of writes at random, by nine devices.
    package static func trace(records: Int, writes: Int) -> [String] {
        var random = SplitMix64(seed: 7)
        var numbers = [Int](repeating: 0, count: 9)
        return (0..<writes).map { _ in
            let device = random.below(9)
            numbers[device] += 1
            let seen = random.percent(70) ? "{\"d\((device + 1 + random.below(8)) % 9)\":\(1 + random.below(40))}" : "{}"
            return Trace.put(
                "d\(device)", numbers[device], at: random.below(5000), "\(random.below(records))",
                "{\"f\(random.below(4))\":\(random.below(50))}", saw: seen)
        }
    }

    private func audit(_ path: String, _ arguments: String...) -> Outcome {
        let world = TestWorld()
        var context = world.context
        if let writesPerLook { context.writesPerLook = writesPerLook }
        try? FileManager.default.removeItem(atPath: directory.file("state"))
        let all = ["audit", "--statistics", "--state", directory.file("state"), "--edited"] + arguments + [path]
        let code = SyncAudit.run(arguments: all, context: context)
        return Outcome(code: code, output: world.output.text, errors: world.errorText, state: directory.content("state"))
    }

    /// Where nothing fits into memory the same comes out.
    package func whatDoesNotFit() throws {
        let path = try directory.path(lines.joined())
        let whole = audit(path)
        #expect(whole.code == .success && whole.output.count > 10 * lines.count && whole.state?.isEmpty == false)
        #expect(audit(path, "--memory", "1") == whole)
        #expect(audit(path, "--memory", "900T") == whole)
    }

    /// Where records come one after the other the same comes out, in their order.
    package func oneAfterTheOther() throws {
        let sorted = lines.map { (record: Self.record($0), line: $0) }.sorted { $0.record < $1.record }.map(\.line)
        let path = try directory.path(sorted.joined())
        let whole = audit(path, "--in-line-order")
        let grouped = audit(path, "--grouped")
        #expect(grouped.output == whole.output && grouped.errors == whole.errors)
        #expect(grouped.state?.split(separator: "\n").sorted() == whole.state?.split(separator: "\n").sorted())
        let order = (grouped.state ?? "").matches(of: #/"recordID":"(\w+)"/#).map { String($0.1) }
        #expect(order.count == Set(order).count && order == order.sorted())
    }

    private static func record(_ line: String) -> String {
        line.firstMatch(of: #/"recordID":"(\w+)"/#).map { String($0.1) } ?? ""
    }
}
