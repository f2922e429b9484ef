import ChildProcess
import Foundation
import SyncOracle
import Testing

@testable import SyncAuditCommands

/// `audit --memory` and `--grouped`: what comes out does not depend on how many records are held.
@Suite struct AuditMemoryTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.create("tmp/keep", "")
    }

    /// A trace of more writes than pass between two looks at the memory in use.
    private func trace(records: Int = 900, writes: Int = 12_000) -> [String] {
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

    private struct Outcome: Equatable {
        let code: ExitCode
        let output: String
        let errors: String
        let state: String?
    }

    private func audit(_ path: String, _ arguments: String...) -> Outcome {
        let world = TestWorld()
        try? FileManager.default.removeItem(atPath: directory.file("state"))
        let code = world.run(["audit", "--statistics", "--state", directory.file("state"), "--edited"] + arguments + [path])
        return Outcome(code: code, output: world.output.text, errors: world.errorText, state: directory.content("state"))
    }

    @Test func whatDoesNotFitIntoMemoryComesOutTheSame() throws {
        let path = try directory.path(trace().joined())
        let whole = audit(path)
        #expect(whole.code == .success && whole.output.count > 100_000 && whole.state?.isEmpty == false)
        #expect(audit(path, "--memory", "1") == whole)
        #expect(audit(path, "--memory", "900T") == whole)
    }

    @Test func recordsOneAfterTheOtherNeedTheMemoryOfOne() throws {
        let lines = trace().map { (record: record($0), line: $0) }.sorted { $0.record < $1.record }.map(\.line)
        let path = try directory.path(lines.joined())
        let whole = audit(path)
        let grouped = audit(path, "--grouped")
        #expect(grouped.output == whole.output && grouped.errors == whole.errors)
        #expect(grouped.state?.split(separator: "\n").sorted() == whole.state?.split(separator: "\n").sorted())
        let order = (grouped.state ?? "").matches(of: #/"recordID":"(\w+)"/#).map { String($0.1) }
        #expect(order.count == Set(order).count && order == order.sorted())
    }

    private func record(_ line: String) -> String {
        line.firstMatch(of: #/"recordID":"(\w+)"/#).map { String($0.1) } ?? ""
    }

    @Test func aRecordThatComesAgainIsNoGroup() throws {
        let lines = [
            Trace.put("a", 1, at: 0, "1", #"{"v":1}"#), Trace.put("a", 2, at: 1, "2", #"{"v":1}"#),
            Trace.put("a", 3, at: 2, "1", #"{"v":2}"#),
        ]
        let world = TestWorld()
        let path = try directory.path(lines.joined())
        #expect(world.run("audit", "--grouped", path) == .badData)
        let type = lines[0].firstMatch(of: #/"recordType":"(\w+)"/#).map { String($0.1) } ?? ""
        let sentence = "\(path):3: the record \"\(type)\" \"1\" comes again after writes to others, so the input is not grouped by record"
        #expect(world.errorText.contains(sentence), "\(world.errorText)")
    }

    @Test(arguments: [
        (["--memory", "1", "--unique", "T.f"], "look across records"), (["--grouped", "--reference", "T.f=T"], "look across records"),
        (["--grouped", "--memory", "1G"], "one record is in memory"), (["--joined", "--memory", "1G"], "held in memory whole"),
        (["--memory", "0"], "out of range"), (["--memory", "2Q"], "is not a size"), (["--memory", "9999999T"], "out of range"),
    ])
    func whatCannotBeIsSaid(arguments: [String], sentence: String) throws {
        let world = TestWorld()
        #expect(world.run(["audit"] + arguments + [try directory.path(Trace.clash())]) == .usage)
        #expect(world.errorText.contains(sentence), "\(world.errorText)")
    }

    private func script(_ text: String, _ path: String) -> (status: Int32, errors: String) {
        ChildProcess.run([
            "sh", "-c", text, "sh", ChildProcess.helperDirectory + "/syncaudit", path, directory.file("out.jsonl"), directory.file("tmp"),
        ])
    }

    @Test func aDiskThatIsFullLeavesNothing() throws {
        let path = try directory.path(trace().joined())
        // Where output goes to no file, the files of what does not fit are the first that are too long.
        for (arguments, sentence) in [(#"> /dev/null"#, "cannot be kept in"), (#"-o "$3""#, "File too large")] {
            let outcome = script(#"trap '' XFSZ; ulimit -f 16; TMPDIR=$4 exec "$1" audit --memory 1 "$2" "# + arguments, path)
            #expect(outcome.status == ExitCode.inputOutput.rawValue, "\(outcome.errors)")
            #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("tmp")) == ["keep"])
            #expect(directory.content("out.jsonl") == nil)
        }
    }

    #if os(Linux)
        /// Killed when files have been made, and while the input goes on.
        @Test func aProcessThatIsKilledLeavesNothing() throws {
            let path = try directory.path(trace().joined())
            let outcome = script(
                """
                (cat "$2"; exec sleep 20) 2>/dev/null | TMPDIR="$4" "$1" audit --memory 1 -o "$3" - 2>/dev/null &
                for attempt in $(seq 200); do
                    if ls -l /proc/$!/fd 2>/dev/null | grep -q 'syncaudit-.*(deleted)'; then kill -9 $!; echo killed >&2; exit; fi
                    sleep 0.1
                done
                """, path)
            #expect(outcome.errors == "killed\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("tmp")) == ["keep"])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.contains("syncaudit") || $0 == "out.jsonl" }
                    == [])
        }
    #endif

    @Test func noRoomForFilesIsSaid() throws {
        let path = try directory.path(trace().joined())
        let outcome = script(#"TMPDIR=$4/none exec "$1" audit --memory 1 -o "$3" "$2""#, path)
        #expect(outcome.status == ExitCode.inputOutput.rawValue)
        #expect(outcome.errors.contains("do not fit into memory, and no temporary file can be made in"), "\(outcome.errors)")
    }
}
