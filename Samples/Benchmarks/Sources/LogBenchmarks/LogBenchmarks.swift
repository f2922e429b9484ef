import AuditLog
import Foundation
import SyncModel

/// Makes the inputs of the benchmarks, and measures what only a Swift program can.
///
/// Its callers are `run-log` and `compare.py` beside the package.
@main
struct LogBenchmarks {
    static let usage = """
        usage: LogBenchmarks make-log LINES [SEED]     a log of a fleet, on standard output
               LogBenchmarks shuffle-keys              standard input with the keys of each line in another order
               LogBenchmarks multiply-trace FILE N     a trace N times, each time with other records
               LogBenchmarks encode FILE ROUNDS        nanoseconds for each conflict line, ours and JSONEncoder's
               LogBenchmarks encode-only FILE TIMES    encodes 20,000 lines so many times, to count allocations

        """

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.dropFirst().map { Int($0) ?? 0 }) {
        case ("make-log", let numbers) where numbers.first ?? 0 > 0:
            makeLog(lines: numbers[0], seed: numbers.count > 1 ? UInt64(numbers[1]) : 2026)
        case ("shuffle-keys", _): shuffleKeys()
        case ("multiply-trace", let numbers) where numbers.count == 2: try multiplyTrace(arguments[1], times: numbers[1])
        case ("encode", let numbers) where numbers.count == 2:
            let result = try Encoding(path: arguments[1]).measure(rounds: numbers[1])
            print(
                #"{"ours": \#(result.ours), "JSONEncoder": \#(result.theirs), "ourBytes": \#(result.ourBytes), "theirBytes": \#(result.theirBytes)}"#
            )
        case ("encode-only", let numbers) where numbers.count == 2: try Encoding(path: arguments[1]).writeByEncoder(times: numbers[1])
        default:
            FileHandle.standardError.write(Data(usage.utf8))
            exit(2)
        }
    }

    private static func makeLog(lines: Int, seed: UInt64) {
        var maker = LogMaker(seed: seed)
        var rest = lines
        while rest > 0 {
            let count = min(rest, 4096)
            var bytes: [UInt8] = []
            LineEncoder.append((0..<count).lazy.map { _ in maker.next() }, to: &bytes)
            unsafe bytes.withUnsafeBytes { unsafe StandardOutput.write($0) }
            rest -= count
        }
    }

    private static func shuffleKeys() {
        var shuffler = KeyShuffler(seed: 2026)
        var rest: [UInt8] = []
        while case let data = FileHandle.standardInput.readData(ofLength: 1 << 20), !data.isEmpty {
            rest += data
            var output: [UInt8] = []
            var start = 0
            while let end = rest[start...].firstIndex(of: 0x0a) {
                output += shuffler.shuffled(rest[start..<end])
                output.append(0x0a)
                start = end + 1
            }
            rest.removeFirst(start)
            unsafe output.withUnsafeBytes { unsafe StandardOutput.write($0) }
        }
    }

    /// Each copy's records are named after the originals, so that what happened to one record happens to each copy of it.
    private static func multiplyTrace(_ path: String, times: Int) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let mark = #""recordID":""#
        for copy in 0..<times {
            var output = ""
            for line in lines {
                guard let place = line.range(of: mark) else { continue }
                output += line[..<place.upperBound] + "\(copy)~" + line[place.upperBound...] + "\n"
            }
            unsafe Array(output.utf8).withUnsafeBytes { unsafe StandardOutput.write($0) }
        }
    }
}
