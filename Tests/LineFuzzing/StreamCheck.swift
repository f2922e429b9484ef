import AuditAnalysis
import AuditLog
import Foundation
import SyncAuditCommands
import SyncBytes

/// Holds everything that reads many lines against a plain loop over them.
package struct StreamCheck {
    private let path: String

    /// Checks that use a file of this name.
    package init(path: String) {
        self.path = path
    }

    /// What is wrong with how a text is read; nil where nothing is.
    package func problem(of text: [UInt8]) throws -> String? {
        // What begins as Apple's log does is converted as a whole, and no line of it stands alone.
        if AppleLogDetector.recognizes(text.span) { return nil }
        try Data(text).write(to: URL(fileURLWithPath: path))
        var lines = text.split(separator: 0x0a, omittingEmptySubsequences: false).map { Array($0) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        let isUnfinished = text.last != 0x0a
        if let problem = reportProblem(lines, isUnfinished: isUnfinished) { return problem }
        if let problem = try backwardProblem(lines, isUnfinished: isUnfinished) { return problem }
        if let problem = try blockProblem() { return problem }
        if let problem = chosenProblem() { return problem }
        // No twin: it is enough that these end, and say why.
        for arguments in [["tail", "-n", "1000"], ["audit", "--lenient"], ["tail", "--format", "json", "-n", "7"]] {
            let (code, _, error) = run(arguments + [path])
            if code != .success, !error.contains(path) { return "\(arguments) ends with \(code): \(error)" }
        }
        return nil
    }

    /// `report` as it is run, on several threads, against one that reads line by line and by the general path.
    private func reportProblem(_ lines: [[UInt8]], isUnfinished: Bool) -> String? {
        // A report does not number writes: its threads read them in any order.
        var decoder = LineDecoder(isFast: false, numbersWrites: false)
        var (summary, once, copies) = (Summary(), Summary(), FirstCopies())
        var (firstProblem, refused) = (String?.none, String?.none)
        var hasSummary = false
        for (index, line) in lines.enumerated() {
            do throws(LineProblem) {
                switch try decoder.outcome(
                    of: line.span, isFirst: index == 0, isUnfinished: isUnfinished && index == lines.count - 1, takesSummaries: true)
                {
                case .line(let line):
                    summary.observe(line.event, source: line.source)
                    once.observe(line.event, source: line.source, once: &copies)
                case .summary: hasSummary = true
                case .unknownEvent, .undated, .blank: break
                }
            } catch {
                let sentence = "\(path):\(index + 1): \(error.sentence)".escaped(for: .terminal)
                if firstProblem == nil { firstProblem = sentence }
                if refused != nil || error.kind == .torn { continue }
                refused = [.broken, .cutOff].contains(error.kind) ? sentence + "; --lenient passes over such lines" : sentence
            }
        }
        // A summary that cannot be read is an error even where lines are forgiven; its own tests see to it.
        if hasSummary || lines.isEmpty { return nil }
        let (code, output, error) = run(["report", "--lenient", "--format", "summary", path])
        guard code == .success else { return "report ends with \(code): \(error)" }
        once.add(copies.tallies)
        if output != JSONRenderer().render(once) { return "report counts otherwise than a plain loop" }
        if run(["report", "--all-copies", "--lenient", "--format", "summary", path]).output != JSONRenderer().render(summary) {
            return "report counts all copies otherwise than a plain loop"
        }
        if let firstProblem, !error.contains(firstProblem) { return "report names another problem than \(firstProblem): \(error)" }
        let strict = run(["report", "--format", "summary", path])
        if strict.code != (refused == nil ? .success : .badData) { return "report without --lenient ends with \(strict.code)" }
        if let refused, strict.error != "syncaudit: \(refused)\n" { return "report says \(strict.error), not \(refused)" }
        return nil
    }

    /// The writes of blocks, as the audit reads them, against those of the lines one by one.
    private func blockProblem() throws -> String? {
        var (scanner, twin) = (WriteScanner(), WriteScanner())
        var lines = try LineReader(path: path, maximumLength: 1 << 20, bufferSize: 4096)
        var block = LineBlock()
        while try lines.fill(&block, size: 4096) {
            var start = block.range.lowerBound
            while start < block.range.upperBound {
                let end = block.endOfLine(from: start)
                let line = block.bytes[start..<end]
                let write = scanner.scanNumbered(block, from: &start, maximumLineLength: .max)
                if write != twin.scan(Array(line).span, number: { _ in nil })?.write || write != nil && start != end + 1 {
                    return "read in a block a line is another one: \(String(decoding: line, as: UTF8.self))"
                }
                start = end + 1
            }
        }
        return nil
    }

    /// Events of chosen lines alone, against those of all lines.
    private func chosenProblem() -> String? {
        var (reader, all) = (AuditLogReader(isLenient: true), [AuditLogReader.Location: AuditLine]())
        guard (try? reader.read(path: path, summary: { _, _ in }, { all[$1] = $0 })) != nil else { return nil }
        let choices: [(name: String, isChosen: LineChoice)] = [
            ("all", { _, _ in true }), ("none", { _, _ in false }), ("some", { line, _ in line.milliseconds & 1 == 0 }),
        ]
        for (name, isChosen) in choices {
            var lines = ChosenLines(AuditLogReader(isLenient: true))
            var (found, passedOver) = ([AuditLogReader.Location: AuditLine](), 0)
            do {
                try lines.read(
                    try BlockQueue(path: path), name: path,
                    where: { line, names in
                        if isChosen(line, names) { return true }
                        passedOver += 1
                        return false
                    }, summary: { _, _ in }, { found[$1] = $0 })
            } catch {
                return "chosen lines (\(name)) are not read: \(error)"
            }
            if lines.counts != reader.counts { return "chosen lines (\(name)) are counted as \(lines.counts), not \(reader.counts)" }
            if found.count + passedOver != all.count {
                return "of \(all.count) events \(found.count) are chosen (\(name)), and \(passedOver) not"
            }
            if let (location, line) = found.first(where: { all[$0.key] != $0.value }) {
                return "chosen (\(name)) the line at \(location) is read as \(line), not \(all[location].map { "\($0)" } ?? "nothing")"
            }
        }
        return nil
    }

    private func backwardProblem(_ lines: [[UInt8]], isUnfinished: Bool) throws -> String? {
        var backward = try BackwardLines(path: path)
        var found: [[UInt8]] = []
        while let line = try backward.next() {
            guard case .bytes(let bytes, _) = line else { return "a line is too long" }
            found.append(bytes)
        }
        if let problem = Self.difference(found.reversed(), lines) { return "read from the end \(problem)" }
        var stream = try StreamedLines(path: path, waits: true)
        var streamed: [[UInt8]] = []
        while let batch = try stream.read() { streamed += batch.compactMap(\.bytes) }
        // Where lines are followed, zeros before one are the hole that a writer left whose file was emptied.
        var withoutHoles = lines.map { $0.first == 0 ? Array($0.drop { $0 == 0 }) : $0 }
        // At the end there is no line for them to be before.
        if isUnfinished, withoutHoles.last == [] { withoutHoles[lines.count - 1] = lines[lines.count - 1] }
        return Self.difference(streamed, withoutHoles).map { "read as a stream \($0)" }
    }

    private static func difference(_ found: [[UInt8]], _ expected: [[UInt8]]) -> String? {
        if found == expected { return nil }
        let index = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        return "there are \(found.count) lines, not \(expected.count); the first that differs has the index \(index ?? -1)"
            + (index.map {
                ": \(String(decoding: found[$0].prefix(2_000), as: UTF8.self)) instead of \(String(decoding: expected[$0].prefix(2_000), as: UTF8.self))"
            } ?? "")
    }

    private func run(_ arguments: [String]) -> (code: ExitCode, output: [UInt8], error: String) {
        let sink = Memory()
        var error = ""
        let context = CommandContext(output: sink, errorText: { error += $0 }, standardInput: -1, processors: 2, now: { 1_768_500_000_000 })
        return (SyncAudit.run(arguments: arguments, context: context), sink.bytes, error)
    }
}

private final class Memory: ByteSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: [UInt8]) throws(CommandError) { self.bytes += bytes }

    func flush() throws(CommandError) {}
}
