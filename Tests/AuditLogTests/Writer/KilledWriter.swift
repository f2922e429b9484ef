import AuditLog
import ChildProcess
import Foundation
import SyncOracle
import Testing

/// A writer in a process of its own that is killed at random times: no acknowledged line is lost, and every torn byte is counted.
enum KilledWriter {
    static func check(rounds: Int) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let directory = try LogDirectory()
        var next = 0
        var lastSequence: UInt64 = 0
        var torn = 0
        var recovered = 0
        var bytesBefore: [UInt8] = []
        for round in 0..<rounds {
            let isEach = Bool.random(using: &random)
            let helper = try ChildProcess(helper: "AuditLogProcess", ["write", directory.path, isEach ? "each" : "batch", "\(next)"])
            var acknowledged = next - 1
            let enough = Int.random(in: 0..<(isEach ? 300 : 5), using: &random)
            for _ in 0..<enough { acknowledged = try #require(helper.line().flatMap { Int($0) }) }
            usleep(UInt32.random(in: 0..<2000, using: &random))
            helper.signal(SIGKILL)
            while let line = helper.line() { acknowledged = max(acknowledged, Int(line) ?? -1) }
            helper.wait()

            // As the kill has left it: the last line of the file alone may be torn.
            let bytes = (try? [UInt8](Data(contentsOf: URL(fileURLWithPath: directory.current)))) ?? []
            let tail = bytes.count - 1 - (bytes.lastIndex(of: 0x0a) ?? -1)
            // A writer that was killed before it had opened the log has left it as it was.
            if bytes != bytesBefore { torn += tail }
            bytesBefore = bytes
            var files = try directory.rotated.map { directory.path + "/" + $0 }
            if !bytes.isEmpty { files.append(directory.current) }
            var reader = AuditLogReader(isLenient: true)
            var lines: [AuditLine] = []
            for file in files { try reader.read(path: file) { line, _ in lines.append(line) } }
            #expect(reader.counts.skipped <= (tail > 0 ? 1 : 0), "round \(round), seed \(seed): \(reader.counts.firstProblem ?? "")")
            let fresh = lines.filter { $0.sequence.map { $0 > lastSequence } ?? true }
            let sequences = fresh.sequences
            let expected = sequences.isEmpty ? [] : Array(lastSequence + 1...lastSequence + UInt64(sequences.count))
            #expect(sequences == expected, "round \(round), seed \(seed): numbers go on without a gap")
            let numbers = fresh.numbers.filter { $0 >= next }
            #expect(numbers == Array(next..<next + numbers.count), "round \(round), seed \(seed)")
            #expect(next + numbers.count > acknowledged, "round \(round), seed \(seed): what was acknowledged is there")
            #expect(fresh.recovered.count <= 1)
            recovered += fresh.recovered.reduce(0, +)
            // A whole last line without its line break is read here, and by the next writer.
            lastSequence = sequences.last ?? lastSequence
            next += numbers.count
            for name in try directory.rotated.dropLast() { try FileManager.default.removeItem(atPath: directory.path + "/" + name) }
        }
        // Bytes torn by the last kill are counted by the next writer.
        let writer = try directory.writer()
        writer.close()
        recovered += writer.statistics.bytesRecovered
        #expect(torn == recovered, "seed \(seed): every torn byte is counted")
    }
}
