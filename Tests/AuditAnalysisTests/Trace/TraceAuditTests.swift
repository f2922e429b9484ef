import AuditAnalysis
import AuditLog
import AuditSamples
import CompressedData
import ConflictAudit
import Foundation
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel
import SyncOracle
import SyncSystem
import Testing

/// However many threads there are and wherever the blocks end, the output is that of one line after the other.
@Suite struct TraceAuditTests {
    /// Everything that an audit leaves behind.
    private struct Outcome: Equatable {
        var output: [UInt8] = []
        var problem: String?
        var statistics = ConflictStatistics()
        var counts = AuditLogReader().counts
        var records: [[UInt8]] = []

        /// The first thing that is not the same, nil when all is.
        func difference(from other: Outcome) -> String? {
            if problem != other.problem { return "\(problem ?? "nil") instead of \(other.problem ?? "nil")" }
            if counts != other.counts { return "\(counts) instead of \(other.counts)" }
            let lines = (mine: output.split(separator: 0x0a), others: other.output.split(separator: 0x0a))
            if let index = zip(lines.mine, lines.others).enumerated().first(where: { $1.0 != $1.1 })?.offset {
                return String(decoding: lines.mine[index], as: UTF8.self) + "\ninstead of\n"
                    + String(decoding: lines.others[index], as: UTF8.self)
            }
            if output != other.output { return "\(lines.mine.count) lines instead of \(lines.others.count)" }
            if statistics != other.statistics { return "other statistics" }
            return records == other.records ? nil : "other records"
        }

        mutating func note(records: [(key: RecordKey, fields: FieldMap)]) {
            self.records = records.map { key, fields in
                var buffer = LineBuffer()
                buffer.beginObject()
                buffer.record(key)
                buffer.field("fields", .object(fields))
                buffer.endObject()
                buffer.append(0x0a)
                return buffer.array
            }
        }
    }

    /// Shaped by seed: the rules, the odd lines among the writes, and whether an odd line ends the reading.
    private struct Case {
        var mergeRules = MergeRules()
        var auditRules = AuditRules()
        var isLenient: Bool
        var text: [UInt8] = []

        init(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            isLenient = random.percent(60)
            if random.percent(30) { mergeRules.standard = .fields(.maximum) }
            if random.percent(20) { mergeRules.standard = .record(.lastWriterWins) }
            if random.percent(20) {
                auditRules.uniqueFields = [ConflictStatistics.FieldKey(type: "T", field: "f1")]
                auditRules.references = [AuditRules.Reference(from: "T", field: "f2", to: "T")]
            }
            if random.percent(20) { text += [0xef, 0xbb, 0xbf] }
            var numbers: [Int: Int] = [:]
            let count = histories(100, of: 400)
            for line in 0..<count {
                if random.percent(6) { text += Self.oddLine(&random, isLenient: isLenient || line > count * 5 / 8) }
                text += Array(Self.write(&random, &numbers).utf8) + [0x0a]
            }
            if random.percent(50) { text.removeLast() }
        }

        private static func write(_ random: inout SplitMix64, _ numbers: inout [Int: Int]) -> String {
            let device = random.below(5)
            numbers[device, default: 0] += 1
            let (millisecond, record) = (random.below(90), random.below(12))
            let number = random.percent(90) ? "\"n\":\(numbers[device, default: 0])," : ""
            let seen = (0..<5).filter { $0 != device && numbers[$0] != nil && random.percent(60) }
                .map { "\"device-\($0)\":\(1 + random.below(numbers[$0] ?? 1))" }.joined(separator: ",")
            let fields = (0..<4).filter { _ in random.percent(50) }.map {
                "\"f\($0)\":\(random.percent(50) ? "\(random.below(4))" : "\"\(random.below(12))\"")"
            }
            .joined(separator: ",")
            let what = random.percent(10) ? "\"op\":\"delete\"" : "\"op\":\"put\",\"fields\":{\(fields)}"
            return
                #"{"event":"write","ts":"2026-01-15T14:00:\#(10 + millisecond / 2).\#(100 + millisecond)Z","device":"device-\#(device)",\#(number)"recordType":"T","recordID":"\#(record)",\#(what)\#(random.percent(80) ? ",\"seen\":{\(seen)}" : "")}"#
        }

        private static func oddLine(_ random: inout SplitMix64, isLenient: Bool) -> [UInt8] {
            switch random.below(isLenient ? 6 : 4) {
            case 0: Array("\n \r\n".utf8)
            case 1: Array("{\"event\":\"telepathy\"}\n".utf8)
            case 2, 3:
                Array(
                    "{\"event\":\"clock\",\"ts\":\"2026-01-15T14:00:00Z\",\"device\":\"device-\(random.below(5))\",\"offsetMs\":\(random.below(60_000)),\"uncertaintyMs\":1}\n"
                        .utf8)
            case 4: Array("{\"event\":\"write\",\n".utf8)
            default: Array("{\"event\":\"\(String(repeating: "x", count: 3000))\"}\n".utf8)
            }
        }
    }

    /// The one-line-after-the-other that everything is measured by.
    private func plain(_ test: Case, path: String) -> Outcome {
        var result = Outcome()
        var reader = AuditLogReader(isLenient: test.isLenient, maximumLineLength: 2000)
        let hashKey = HashKey()
        var auditor = TraceAuditor(mergeRules: test.mergeRules, auditRules: test.auditRules, hashKey: hashKey)
        var sequence: UInt64 = 0
        var circles = SeenCircles()
        do {
            try reader.read(path: path) { line, _ in
                if case .clock(let measurement) = line.event.content { auditor.observe(measurement) }
                guard case .write(let write) = line.event.content else { return }
                let isOpen = write.isNumbered && circles.observe(write, at: 0).isOpen
                for conflict in auditor.observe(write, hash: write.recordHash(hashKey), isOpen: isOpen) {
                    sequence += 1
                    let event = AuditEvent(at: conflict.milliseconds, .conflict(conflict))
                    LineEncoder.append(AuditLine(sequence: sequence, source: "syncaudit", event: event), to: &result.output)
                }
            }
        } catch {
            result.problem = "\(error)"
        }
        result.statistics = auditor.statistics
        result.counts = reader.counts
        result.note(records: auditor.records())
        return result
    }

    private func inBlocks(
        _ test: Case, path: String, threads: Int, blockSize: Int, outputSize: Int, memory: Retention = .everything
    ) -> Outcome {
        var result = Outcome()
        var audit = TraceAudit(
            mergeRules: test.mergeRules, auditRules: test.auditRules, isLenient: test.isLenient, memory: memory, stateDetail: .fields,
            threads: threads, maximumLineLength: 2000, blockSize: blockSize, outputSize: outputSize)
        do {
            try audit.audit(path: path) { result.output += $0 }
        } catch {
            result.problem = "\(error)"
        }
        do {
            // What was audited before a line that is wrong is found all the same.
            try audit.finish { result.output += $0 }
            try audit.writeState { result.records.append($0) }
        } catch {
            result.problem = "\(error)"
        }
        result.statistics = audit.statistics
        result.counts = audit.counts
        return result
    }

    /// Looks at its memory so often, and finds it used up from a look on, and then always.
    private func space(writesPerLook: Int, looksBefore: Int = 0) -> SpillSpace {
        let looks = Locked(0)
        return SpillSpace(
            limit: 0,
            isLimitExceeded: { _ in
                looks.withLock { looks in
                    looks += 1
                    return looks > looksBefore
                }
            },
            writesPerLook: writesPerLook,
            makeFile: {
                var template = Array((FileManager.default.temporaryDirectory.path + "/spill-XXXXXX").utf8CString)
                let descriptor = unsafe mkstemp(&template)
                unsafe unlink(template)
                return descriptor
            }, failure: { $0 })
    }

    @Test(arguments: 1...UInt64(histories(3, of: 12))) func threadsAndBlocksMakeNoDifference(seed: UInt64) throws {
        let test = Case(seed: seed)
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-audit-\(UUID().uuidString).jsonl")
        try Data(test.text).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let expected = plain(test, path: file.path)
        #expect(!expected.output.isEmpty)
        let blockSizes = [1, 3000, 1 << 20]
        for threads in 1...3 {
            // A few: one size and one memory for each number of threads, in turn.
            let turn = (threads + Int(seed)) % 3
            for blockSize in histories(0, of: 1) == 0 ? [blockSizes[turn]] : blockSizes {
                // One byte makes every thread stop at every conflict.
                let outputSize = (threads + blockSize) % 2 == 0 ? 1 : 8 << 20
                let found = inBlocks(test, path: file.path, threads: threads, blockSize: blockSize, outputSize: outputSize)
                let difference = found.difference(from: expected)
                #expect(difference == nil, "\(threads) threads, blocks of \(blockSize) bytes, output of \(outputSize)")
                let memories = [
                    space(writesPerLook: 1), space(writesPerLook: 3),
                    space(writesPerLook: 1, looksBefore: histories(15, of: 60) * threads),
                ]
                for memory in histories(0, of: 1) == 0 ? [memories[(turn + threads) % 3]] : memories {
                    let found = inBlocks(
                        test, path: file.path, threads: threads, blockSize: blockSize, outputSize: outputSize, memory: .some(memory))
                    let difference = found.difference(from: expected)
                    #expect(difference == nil, "\(threads) threads, blocks of \(blockSize) bytes, spilled: \(difference ?? "")")
                }
            }
        }
    }

    @Test(arguments: 1...3) func anOutputThatFailsEndsAllThreads(threads: Int) throws {
        struct Full: Error {}
        let test = Case(seed: 4)
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-audit-\(UUID().uuidString).jsonl")
        try Data(test.text).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let expected = plain(test, path: file.path).output
        for limit in stride(from: 0, to: expected.count, by: expected.count / 7) {
            var audit = TraceAudit(
                mergeRules: test.mergeRules, auditRules: test.auditRules, isLenient: test.isLenient, threads: threads,
                maximumLineLength: 2000, blockSize: 3000, outputSize: limit % 2 == 0 ? 1 : 8 << 20)
            var output: [UInt8] = []
            #expect(throws: Full.self) {
                try audit.audit(path: file.path) { bytes in
                    if output.count + bytes.count > limit { throw Full() }
                    output += bytes
                }
            }
            #expect(expected.starts(with: output))
        }
    }

    @Test func aConflictThatNoReaderCouldReadBackIsWrittenWithoutItsValues() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-audit-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        for (length, isShortened) in [(100, false), (700, true)] {
            let value = String(repeating: "x", count: length)
            let lines = ["a", "b"].map { device in
                #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"\#(device)","n":1,"recordType":"T","recordID":"1","#
                    + #""op":"put","fields":{"f":"\#(device + value)"},"seen":{}}"#
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            var audit = TraceAudit(maximumLineLength: 1500)
            var output: [UInt8] = []
            try audit.audit(path: file.path) { output += $0 }
            #expect(audit.shortenedLines == (isShortened ? 1 : 0))
            #expect(output.count <= 1500)
            #expect(String(decoding: output, as: UTF8.self).contains(value) != isShortened)
            #expect(audit.statistics.dataLost == 1)
        }
    }

    @Test func compressedTracesAreRead() throws {
        let text = (1...histories(1_000, of: 4_000)).map {
            #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"d\#($0 % 7)","n":\#($0),"recordType":"Note","recordID":"\#($0 % 50)","#
                + #""op":"put","fields":{"title":"\#($0)"},"seen":{}}"# + "\n"
        }.joined()
        func findings(_ bytes: [UInt8]) throws -> [UInt8] {
            let file = FileManager.default.temporaryDirectory.appending(path: "trace-audit-\(UUID().uuidString).jsonl")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(bytes).write(to: file)
            var audit = TraceAudit(threads: 2, blockSize: 1 << 16)
            var output: [UInt8] = []
            try audit.audit(path: file.path) { output += $0 }
            return output
        }
        let expected = try findings(Array(text.utf8))
        #expect(!expected.isEmpty)
        #expect(try findings(compressed(text.utf8)) == expected)
    }
}
