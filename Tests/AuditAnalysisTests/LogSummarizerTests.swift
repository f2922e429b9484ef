import AuditAnalysis
import AuditLog
import AuditSamples
import ConflictAudit
import ConflictAuditTesting
import Foundation
import SyncBytes
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// However the lines are read, the summary is that of decoding one after the other.
@Suite struct LogSummarizerTests {
    /// Everything that reading a log leaves behind.
    private struct Outcome: Equatable {
        var summary = Summary()
        var counts = AuditLogReader.Counts()
        var problem: String?

        /// The first thing that is not the same, nil when all is.
        func difference(from other: Outcome) -> String? {
            if problem != other.problem { return "\(problem ?? "nil") instead of \(other.problem ?? "nil")" }
            if problem != nil { return nil }
            if counts != other.counts { return "\(counts) instead of \(other.counts)" }
            let (mine, others) = (JSONRenderer().render(summary), JSONRenderer().render(other.summary))
            return mine == others ? nil : "\(mine)\ninstead of\n\(others)"
        }
    }

    private static let limit = 3000

    private func plain(_ text: [UInt8], name: String, filter: ReportFilter, countsCopies: Bool, isLenient: Bool) -> Outcome {
        var outcome = Outcome(summary: Summary(filter: filter))
        var summaries = Summary()
        var copies = FirstCopies()
        func finished() -> Outcome {
            var finished = outcome
            if !countsCopies { finished.summary.add(copies.tallies) }
            finished.summary.merge(summaries)
            return finished
        }
        var decoder = LineDecoder(isFast: false, numbersWrites: false)
        var lines = text.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
        if lines.last == [] { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            outcome.counts.lines += 1
            let isUnfinished = index == lines.count - 1 && text.last != 0x0a
            let problem: LineProblem
            if line.count > Self.limit {
                problem = .tooLong(Self.limit)
            } else {
                do throws(LineProblem) {
                    switch try decoder.outcome(
                        of: line.span, isFirst: index == 0, isUnfinished: isUnfinished, takesSummaries: true)
                    {
                    case .line(let line):
                        if countsCopies {
                            outcome.summary.observe(line.event, source: line.source)
                        } else {
                            outcome.summary.observe(line.event, source: line.source, once: &copies)
                        }
                    case .unknownEvent: outcome.counts.unknownEvents += 1
                    case .undated: outcome.counts.undated += 1
                    case .summary(let object): try? summaries.merge(json: object, filter: filter)
                    case .blank: break
                    }
                    continue
                } catch {
                    problem = error
                }
            }
            let sentence = "\(name):\(index + 1): \(problem.sentence)"
            guard isLenient || problem.kind == .torn else {
                outcome.problem = sentence
                return finished()
            }
            outcome.counts.skipped += 1
            outcome.counts.firstProblem = outcome.counts.firstProblem ?? sentence
        }
        return finished()
    }

    /// A file is read in pieces by each thread, a stream by one at a time.
    private func parallel(
        _ path: String, filter: ReportFilter, countsCopies: Bool, isLenient: Bool, threads: Int, blockSize: Int, isStream: Bool
    ) throws -> Outcome {
        var reader = LogSummarizer(
            filter: filter, countsCopies: countsCopies, isLenient: isLenient, threads: threads, maximumLineLength: Self.limit,
            blockSize: blockSize)
        var problem: String?
        let stream = isStream ? try FileHandle(forReadingFrom: URL(fileURLWithPath: path)) : nil
        do {
            if let stream { try reader.read(descriptor: stream.fileDescriptor, name: path) } else { try reader.read(path: path) }
        } catch {
            problem = "\(error)"
        }
        return Outcome(summary: reader.summary, counts: reader.counts, problem: problem)
    }

    /// On how many threads, in blocks of how many bytes: one line needs no more than the last two.
    private static let ways = [(2, 1000), (1, 1 << 18), (3, 1), (1, 100), (2, 1 << 18)].prefix(histories(2, of: 5))

    private func check(
        _ text: [UInt8], filter: ReportFilter = ReportFilter(), isLenient: Bool, ways: some Sequence<(Int, Int)> = ways,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "summarizer-\(UUID().uuidString).jsonl")
        try Data(text).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for countsCopies in [false, true] {
            let expected = plain(text, name: file.path, filter: filter, countsCopies: countsCopies, isLenient: isLenient)
            for (threads, blockSize) in ways {
                for isStream in [false, true] {
                    let found = try parallel(
                        file.path, filter: filter, countsCopies: countsCopies, isLenient: isLenient, threads: threads, blockSize: blockSize,
                        isStream: isStream)
                    let difference = found.difference(from: expected)
                    let way =
                        "\(isStream ? "stream" : "file"), \(threads) threads, blocks of \(blockSize) bytes, \(countsCopies ? "every line" : "once")"
                    #expect(difference == nil, "\(way)", sourceLocation: sourceLocation)
                }
            }
        }
    }

    private static func lines(_ random: inout some RandomNumberGenerator, count: Int) -> [[UInt8]] {
        (0..<count).map { index in
            let event = AuditEventSamples.all.randomElement(using: &random) ?? AuditEventSamples.all[0]
            var bytes: [UInt8] = []
            LineEncoder.append(AuditLine(sequence: UInt64(index + 1), source: "phone", event: event), to: &bytes)
            return Array(bytes.dropLast())
        }
    }

    @Test(arguments: 1...UInt64(histories(2, of: 6))) func goodLines(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var text: [UInt8] = seed.isMultiple(of: 3) ? [0xef, 0xbb, 0xbf] : []
        for line in Self.lines(&random, count: histories(60, of: 300)) { text += line + [0x0a] }
        if seed.isMultiple(of: 2) { text.removeLast() }
        try check(text, isLenient: false)
    }

    @Test(arguments: 1...UInt64(histories(3, of: 12))) func brokenLines(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var text: [UInt8] = []
        for var line in Self.lines(&random, count: histories(40, of: 150)) {
            for _ in 0..<Int.random(in: 0...2, using: &random) where !line.isEmpty { Self.breakOne(&line, &random) }
            text += line + [0x0a]
        }
        try check(text, isLenient: true)
        try check(text, isLenient: false)
    }

    /// Whoever wrote it died: the line is counted, and all others are.
    @Test(arguments: 1...UInt64(histories(4, of: 20))) func aLastLineThatBreaksOff(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let lines = Self.lines(&random, count: 30)
        let (before, last) = (Array(lines.dropLast().joined(separator: [0x0a])) + [0x0a], lines[29])
        let end = 1 + random.below(last.count - 1)
        let torn = Array(last[..<end]) + [UInt8](repeating: 0, count: seed.isMultiple(of: 4) ? 9 : 0)
        try check(before + torn, isLenient: false)
        func read(_ text: [UInt8]) throws -> AuditLogReader.Counts {
            var reader = LogSummarizer(threads: 2, blockSize: 500)
            try reader.read(
                lines: { bytes in
                    bytes += text
                    return false
                }, name: "log")
            return reader.counts
        }
        let counts = try read(before + torn)
        #expect(counts.skipped == 1)
        #expect(counts.firstProblem?.hasPrefix("log:30: the last line breaks off") == true)
        // With a line break it is not that of a writer who died.
        #expect(throws: AuditLogError.self) { try read(before + torn + [0x0a]) }
    }

    /// One byte changed, taken out or put in, by what tends to hurt.
    private static func breakOne(_ line: inout [UInt8], _ random: inout some RandomNumberGenerator) {
        let place = Int.random(in: line.indices, using: &random)
        let bytes = Array("\"\\{}[]:,0123456789.eE+-ntfu \t\r\u{1b}".utf8) + [0x00, 0x7f, 0x80, 0xc0, 0xe2, 0xed, 0xf4, 0xff]
        let byte = bytes.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<6, using: &random) {
        case 0: line.remove(at: place)
        case 1: line.insert(byte, at: place)
        case 2: line.removeSubrange(place...)
        case 3:
            let other = Int.random(in: line.indices, using: &random)
            line.insert(contentsOf: Array(line[min(place, other)..<max(place, other)]), at: place)
        default: line[place] = byte
        }
    }

    @Test(arguments: 1...UInt64(histories(2, of: 4))) func keysInAnyOrderAndWithWhiteSpace(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var text: [UInt8] = []
        for line in Self.lines(&random, count: histories(40, of: 150)) {
            let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
            // Foundation puts the keys of each dictionary in an order of its own.
            let isSpaced = Bool.random(using: &random)
            var bytes = Array(try JSONSerialization.data(withJSONObject: object, options: isSpaced ? [.prettyPrinted, .sortedKeys] : []))
            bytes = bytes.map { $0 == 0x0a ? 0x20 : $0 }
            text += bytes + (Bool.random(using: &random) ? [0x0d, 0x0a] : [0x0a])
        }
        try check(text, isLenient: true)
    }

    /// A line counts when it is whole, in whichever pieces a file grows.
    @Test(arguments: 1...UInt64(histories(5, of: 8))) func aGrowingFile(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var text: [UInt8] = []
        for var line in Self.lines(&random, count: 60) {
            if random.below(8) == 0 { Self.breakOne(&line, &random) }
            if random.below(8) == 0 { line += [UInt8](repeating: 0x20, count: Self.limit) }
            text += line + [0x0a]
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "summarizer-\(UUID().uuidString).jsonl").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let expected = plain(text, name: file, filter: ReportFilter(), countsCopies: true, isLenient: true)
        var reader = LogSummarizer(
            countsCopies: true, isLenient: true, threads: 1 + random.below(2), maximumLineLength: Self.limit,
            blockSize: [1, 100, 1 << 18][random.below(3)])
        var (size, lines) = (0, ReadLines())
        while size < text.count {
            size = min(text.count, size + 1 + random.below(5000))
            try Data(text[..<size]).write(to: URL(fileURLWithPath: file))
            lines = try #require(try reader.read(path: file, after: lines))
            #expect(lines.count == text[..<size].count { $0 == 0x0a }, "seed \(seed)")
        }
        var counts = reader.counts
        // Its line is counted from where the reading that found it went on.
        counts.firstProblem = expected.counts.firstProblem
        #expect(Outcome(summary: reader.summary, counts: counts).difference(from: expected) == nil, "seed \(seed)")
    }

    /// What was counted is taken from the threads; what they count then has names of its own.
    @Test(arguments: [1, 3]) func aSummaryMayBeAskedForInBetween(threads: Int) throws {
        var random = SplitMix64(seed: 9)
        let files = try (0..<3).map { _ in
            let file = FileManager.default.temporaryDirectory.appending(path: "summarizer-\(UUID().uuidString).jsonl")
            var text: [UInt8] = []
            for var line in Self.lines(&random, count: 200) {
                // A line that is decoded, and some that are not lines.
                if random.below(10) == 0 { line = Array("{ \"v\" :1,".utf8) + line.dropFirst("{\"v\":1,".utf8.count) }
                if random.below(20) == 0 { Self.breakOne(&line, &random) }
                text += line + [0x0a]
            }
            try Data(text).write(to: file)
            return file.path
        }
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        func outcome(asking: Bool) throws -> Outcome {
            var reader = LogSummarizer(isLenient: true, threads: threads, blockSize: 500)
            for file in files {
                try reader.read(path: file)
                if asking { _ = reader.summary }
            }
            return Outcome(summary: reader.summary, counts: reader.counts)
        }
        let (asked, once) = try (outcome(asking: true), outcome(asking: false))
        #expect(asked.difference(from: once) == nil)
        #expect(asked.summary == once.summary)
        #expect(asked.summary.proven.total.conflicts > 0)
    }

    @Test func everyFilter() throws {
        var random = SplitMix64(seed: 5)
        var text: [UInt8] = []
        for line in Self.lines(&random, count: histories(40, of: 400)) { text += line + [0x0a] }
        let conflicts = AuditEventSamples.all.compactMap { if case .conflict(let conflict) = $0.content { conflict } else { nil } }
        let one = try #require(conflicts.first { $0.field != nil })
        let filters = [
            ReportFilter(since: one.time), ReportFilter(until: one.time), ReportFilter(devices: [one.loser.dot.device]),
            ReportFilter(recordTypes: [one.key.type]), ReportFilter(fields: [one.field ?? ""]), ReportFilter(kinds: [one.kind]),
            ReportFilter(severities: [one.severity]), ReportFilter(devices: [one.winner.dot.device], fields: ["nothing"]),
            ReportFilter(fields: [FieldName("\(one.key.type.rawValue).\(one.field?.rawValue ?? "")")]),
        ]
        for filter in filters { try check(text, filter: filter, isLenient: false, ways: Self.ways.prefix(histories(1, of: 5))) }
    }

    /// A scanner tells a clock's device apart from its line; under a filter, and beyond the devices told apart, it was lost.
    @Test func aClockIsThatOfItsDeviceUnderEveryFilter() throws {
        let line =
            #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"Mac","event":"clock","device":"iPad","offsetMs":5,"uncertaintyMs":1}"#
        for filter in [ReportFilter(), ReportFilter(since: WallTime(millisecondsSince1970: 0)), ReportFilter(devices: ["iPad"])] {
            let file = FileManager.default.temporaryDirectory.appending(path: "clock-\(UUID().uuidString).jsonl").path
            defer { try? FileManager.default.removeItem(atPath: file) }
            try Data((line + "\n").utf8).write(to: URL(fileURLWithPath: file))
            var reader = LogSummarizer(filter: filter, isLenient: false)
            try reader.read(path: file)
            #expect(reader.summary.health.devices.keys.map { $0?.rawValue } == ["iPad"], "\(filter)")
        }
    }

    @Test func whatIsRareButRight() throws {
        let write = #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","recordType":"T","recordID":"1","op":"put","fields":{"#
        let lines = [
            write + #""x":1}}"#, write + #""x":"\ud83d\ude00"}}"#, write + #""x":1e3}}"#, write + #"}}"#,
            write + #""x":{"y":[[],{}]}},"seen":{}}"#,
            write + #""x":1},"n":5,"seen":{"a":5}}"#, write + #""x":1},"n":5,"seen":{"a":6}}"#, write + #""x":1},"seen":{"a":6}}"#,
            write + #""x":1,"x":2}}"#, write + #""x":1},"seen":{"b":1,"b":2}}"#, write + #""x":01}}"#, write + #""x":"\#u{7f}"}}"#,
            #"{"event":"write","seen":{"a":7},"n":6,"ts":"2026-01-15T14:00:00.000Z","device":"a","recordType":"T","recordID":"1","op":"delete"}"#,
            #"{"event":"write","ts":"2026-02-30T14:00:00.000Z","device":"a","recordType":"T","recordID":"1","op":"delete"}"#,
            #"{"event":"write","ts":"2026-01-15T14:00:60.000Z","device":"a","recordType":"T","recordID":"1","op":"delete"}"#,
            #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"","recordType":"T","recordID":"1","op":"delete"}"#,
            #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"a","recordType":"T","recordID":"1","op":"delete","counter":4294967296}"#,
            #"{"v":2,"event":"account","status":"x","ts":"2026-01-15T14:00:00.000Z"}"#, #"{"event":"account","status":"x","ts":null}"#,
            #"{"event":"account","status":"x","ts":"2026-01-15T14:00:00.000Z","new":{"key":1}}"#, "", " ", "{}", "[]", "null", #""x""#,
            #"{"event":"account","status":""# + String(repeating: "x", count: 4000) + #"","ts":"2026-01-15T14:00:00.000Z"}"#,
            String(repeating: "[", count: 1000),
            // Found by fuzzing: these were counted as writes.
            #"{"event":"log","source":"a","ts":"2026-01-15T14:00:00.000Z","recordType":"T","recordID":"r","device":"d","op":"delete"}"#,
            #"{"event":"statistics","source":"a","ts":"2026-01-15T14:00:00.000Z"}"#,
        ]
        for line in lines {
            try check(Array((line + "\n").utf8), isLenient: true, ways: Self.ways.suffix(histories(1, of: 2)))
            try check(Array(line.utf8), isLenient: false, ways: Self.ways.suffix(histories(1, of: 2)))
        }
        try check(Array(lines.joined(separator: "\n").utf8), isLenient: true)
    }

    /// Statistics and what a log says of itself, sound and not: all that the decoder refuses is refused.
    @Test func accountsOfALog() throws {
        let head = #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"a","event":"#
        let members = [
            #""writesObserved":7"#, #""writesObserved":-1"#, #""writesObserved":1.5"#, #""writesObserved":9223372036854775807"#,
            #""writesObserved":1,"writesObserved":2"#, #""writesObserved":null"#, #""reverts":7"#, #""reverts":0"#, #""reverts":-1"#,
            #""reverts":1.5"#, #""reverts":"7""#, #""reverts":null"#, #""reverts":9223372036854775807"#, #""reverts":1,"reverts":2"#,
            #""reverts":3,"writesObserved":1,"writesWithContext":1"#, #""total":"1""#, #""clockSuspect":true"#,
            #""firstConflict":"2026-01-15T14:00:00.000Z""#, #""firstConflict":"yesterday""#, #""new":{"a":1,"a":2}"#, #""new":1"#,
            #""kinds":{"update_update":1,"new":2}"#, #""kinds":{"update_update":1,"update_update":2}"#, #""kinds":[]"#,
            #""kinds":{"x":1.5}"#,
            #""winningDevices":{"b":1,"a":2}"#, #""winningDevices":{"a":1,"b":2,"a":3}"#, #""winningDevices":{"a":1,"ab":2,"b":3}"#,
            #""winningDevices":{"\u0061":1,"a":2}"#, #""losingDevices":{"a":-1}"#, #""losingDevices":{}"#,
            #""fields":[{"recordType":"T","field":"f","count":1},{"count":2,"recordType":"T"}]"#, #""fields":[{"field":"f","count":1}]"#,
            #""fields":[{"recordType":"T","field":7,"count":1}]"#, #""fields":[{"recordType":"T"}]"#, #""fields":[1]"#, #""fields":{}"#,
            #""fields":[{"recordType":"T","count":9223372036854775807},{"recordType":"T","count":1}]"#,
            #""fields":[ ]"#, #""fields":[,]"#,
            #""devicePairs":[{"winner":"a","loser":"b","count":1}]"#, #""devicePairs":[{"winner":"a","count":1}]"#,
            #""gaps":{"buckets":[]}"#, #""gaps":{}"#, #""gaps":{"minMs":5,"maxMs":5,"buckets":[[5,1]]}"#,
            #""gaps":{"minMs":5,"maxMs":6,"buckets":[[5,1]]}"#, #""gaps":{"minMs":6,"maxMs":5,"buckets":[[5,1],[6,1]]}"#,
            #""gaps":{"buckets":[[6,1],[5,1]],"maxMs":6,"minMs":5}"#, #""gaps":{"buckets":[[5,1]]}"#, #""gaps":{"minMs":5,"buckets":[]}"#,
            #""gaps":{"minMs":5,"maxMs":5,"buckets":[[5,0]]}"#, #""gaps":{"minMs":5,"maxMs":5,"buckets":[[5,1,1]]}"#,
        ]
        let notes = [
            #""opened":true"#, #""opened":false"#, #""opened":1"#, #""opened":true,"dropped":3"#, #""dropped":3,"rotated":true"#,
            #""dropped":3"#, #""dropped":-3"#, #""dropped":null"#, #""dropped":3,"dropped":4"#, #""truncated":1"#, #""recovered":0"#,
            #""recovered":1e2"#, #""total":1"#, #""new":1"#, #""dropped":3,"recovered":"x""#,
        ]
        var lines: [String] = []
        for (event, members) in [("statistics", members), ("log", notes)] {
            for (index, member) in members.enumerated() {
                let both = ["\(head)\"\(event)\",\(member)}", "{ \(member) , \(head.dropFirst())\"\(event)\" } "]
                // A few: one of the two in turn.
                lines += histories(0, of: 1) == 0 ? [both[index % 2]] : both
            }
        }
        let names = (1000..<1100).map { "\"device-\($0)\":1" }
        for order in [names, names.reversed(), names + names.prefix(1)] {
            let object: String = order.joined(separator: ",")
            lines.append("\(head)\"statistics\",\"winningDevices\":{\(object)}}")
        }
        for line in lines { try check(Array((line + "\n").utf8), isLenient: true, ways: Self.ways.suffix(histories(1, of: 2))) }
        try check(Array(lines.joined(separator: "\n").utf8), isLenient: true)
        try check(
            Array(lines.joined(separator: "\n").utf8), filter: ReportFilter(until: WallTime(millisecondsSince1970: 0)), isLenient: true)
    }

    /// Found by fuzzing: white space at the start of a text was taken for white space before it, once the key had been learnt.
    @Test func whiteSpaceAtTheStartOfANameBelongsToIt() throws {
        var text = ""
        for space in ["", " ", "  ", "\\t", "\t"] {
            for name in ["device", "source", "recordType", "recordID"] {
                let value = { (key: String) in (key == name ? space : "") + "x" }
                text +=
                    #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"\#(value("source"))","event":"write","#
                    + #""device":"\#(value("device"))","n":1,"recordType":"\#(value("recordType"))","recordID":"\#(value("recordID"))","op":"delete"}"#
                    + "\n"
            }
            var lines: [UInt8] = []
            var random = SplitMix64(seed: 9)
            for line in Self.lines(&random, count: histories(12, of: 40)) { lines += line + [0x0a] }
            for key in ["recordType", "recordID", "device", "field", "policy", "kind", "ts", "id"] {
                text += String(decoding: lines, as: UTF8.self).replacingOccurrences(of: "\"\(key)\":\"", with: "\"\(key)\":\"\(space)")
            }
        }
        try check(Array(text.utf8), isLenient: true)
    }

    /// Passages that have come before are taken as a whole: more of them than are remembered, some too long for that, and each with a byte changed.
    @Test func passagesThatComeAgain() throws {
        var random = SplitMix64(seed: 11)
        var text: [UInt8] = []
        for index in 0..<histories(150, of: 400) {
            let word = { (words: [String]) in words.randomElement(using: &random) ?? "" }
            let side = { (device: String) in
                #"{"device":"\#(device)","n":1,"ts":"2026-01-15T13:59:00.000Z","counter":\#(word(["0", "0", "7", "0.5"])),"op":"\#(word(["put", "delete"]))"}"#
            }
            let line =
                #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":\#(word(["1", "01", "1e2", "12345678"])),"source":"a","event":"conflict","id":"00000000000000\#(index % 90 + 10)","#
                + #""kind":"\#(word(Conflict.Kind.allCases.map(\.rawValue)))","severity":"\#(word(Conflict.Severity.allCases.map(\.rawValue)))","#
                + #""basis":"\#(word(Conflict.Basis.allCases.map(\.rawValue)))","recordType":"T","recordID":"r\#(index % 7)","field":"f","#
                + #""winner":\#(side("a")),"loser":\#(side("b")),"gapMs":\#(word(["5", "0", "5.5"])),"withinWindow":\#(word(["true", "false"])),"#
                + #""windowMs":\#(word(["300000", "1", "1.5"])),"policy":"\#(word(["lastWriterWins", "x", String(repeating: "y", count: 60)]))","#
                + #""resolution":"\#(word(Conflict.Resolution.allCases.map(\.rawValue)))","reason":"\#(word(Conflict.Reason.allCases.map(\.rawValue)))","#
                + #""auto":\#(word(["true", "false"])),"clockSuspect":\#(word(["true", "false"]))}"#
            let bytes = Array(line.utf8)
            var broken = bytes
            Self.breakOne(&broken, &random)
            for line in [bytes, broken, bytes] { text += line + [0x0a] }
        }
        try check(text, isLenient: true)
    }

    /// Longer names than fit into a number are told apart by all of their bytes.
    @Test func namesThatDifferInOneByte() throws {
        var text = ""
        for length in [1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 40] {
            for place in 0..<length {
                var name = Array(repeating: "x", count: length)
                name[place] = "y"
                text +=
                    #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"\#(name.joined())","event":"write","device":"d","n":1,"#
                    + #""recordType":"T","recordID":"1","op":"delete"}"# + "\n"
            }
        }
        try check(Array(text.utf8), isLenient: false)
    }

    @Test func theListsOfWordsAreAsLongAsTheirNumbersSay() {
        let words = TraitsNumber.count >> Conflict.Flag.allCases.count
        for (index, kind) in Conflict.Kind.allCases.enumerated() {
            #expect(TraitsNumber(index * words / Conflict.Kind.allCases.count).kind == kind)
        }
        let last = TraitsNumber(TraitsNumber.count - 1).traits
        #expect(last.kind == Conflict.Kind.allCases.last && last.severity == Conflict.Severity.allCases.last)
        #expect(last.basis == Conflict.Basis.allCases.last && last.resolution == Conflict.Resolution.allCases.last)
        #expect(last.reason == Conflict.Reason.allCases.last && Conflict.Flag.allCases.allSatisfy { last.flags[$0] })
    }
}
