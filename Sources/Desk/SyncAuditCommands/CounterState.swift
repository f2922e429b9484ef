import AuditAnalysis
import AuditLog
import AuditReport
import SyncBytes
import SyncModel
import SyncSystem

/// What a watched export has counted and written, for the one that is started after it.
///
/// Lines of JSON, each an object with one of the keys below first; a reader ignores other keys. A change that old readers would misread
/// raises `counters`.
///
/// - `counters`, with `start`, `output`, `once`, `filter`: the version, 3; since when the first export counted, in milliseconds since 1970;
///   a hash of the output that is written next; whether each conflict and each write counts once; lists of a filter's name and what it lets
///   pass
/// - `log`, with `lines`, `last`, `device?`, `file?`, `size?`, `modified?`: a hash of the first line of a log, how many lines were read of
///   it, a hash of the last of them, and what the system said of the file
/// - `series`, with `labels`, `value`, `created`, `begun`: the metric; lists of a label and its value; the count in that output; since when
///   it counts; whether no output before had it
/// - `conflicts`, `writes`, `edits`, `waitingProven`, `waitingSuspected`, `clockSuspects`: identities of what was counted, 16 hexadecimal
///   digits each
/// - `sum`: the summary of everything counted, as `JSONRenderer` writes it, without its records
/// - `end`: a hash of all lines before, so that no half of a file passes for a whole; the last line
///
/// Of the data that the logs are about it holds the names that the metrics hold, what is told of sync itself with its errors, and hashes of
/// lines.
struct CounterState {
    static let version = 3

    /// By the name of the metric and the labels.
    typealias Series = [String: [[MetricFamily.Label]: CounterHistory.Series]]

    /// Why a file cannot be gone on with.
    enum Problem: Error, Equatable {
        /// It is not what was written.
        case damaged(String)
        /// Another version wrote it.
        case version(String)
    }

    let start: Int64
    /// What each filter lets pass, apart from times, which say only what is counted from now on.
    let filter: [[String]]
    let sum: Summary
    /// What has been counted, nil where every line counts.
    let copies: FirstCopies?
    let logs: [WatchedFiles.Log]
    /// A hash of the output.
    let output: UInt64
    /// What the output holds.
    let series: Series
    /// The same without the series that no output before had.
    let seriesBefore: Series

    /// The state of an export of which the output is yet to be written.
    init(_ files: WatchedFiles, _ filter: ReportFilter, _ history: CounterHistory, output: [UInt8]) {
        start = history.start
        self.output = FNV1a.hash(output.span)
        self.filter = Self.names(filter)
        (sum, copies, logs, series) = (files.sum, files.copies, files.knownLogs, history.written)
        seriesBefore = Dictionary(
            uniqueKeysWithValues: series.map { name, series in (name, series.filter { !history.hasBegun(name, $0.key) }) })
    }

    /// What a filter lets pass, apart from times.
    static func names(_ filter: ReportFilter) -> [[String]] {
        filter.names.filter { !$0.names.isEmpty }.map { [$0.key] + $0.names }
    }

    // MARK: Writing

    /// So many identities are in a line.
    private static let identitiesInLine = 2048

    /// Writes the state.
    ///
    /// - Complexity: O(*n*) in what was counted: 16 bytes for each conflict and each write, where they count once. With 3 million of them
    ///   the file has 48 MB, and a rewrite, after each change of the logs, takes about 0.65 s of a processor's time, reading the new lines
    ///   included.
    func write(to sink: any ByteSink) throws {
        var hash = FNV1a()
        func put(_ bytes: [UInt8]) throws {
            hash.combine(bytes.span)
            try sink.write(bytes)
        }
        func line(_ body: (inout LineBuffer) -> Void) throws {
            var buffer = LineBuffer()
            buffer.object(body)
            buffer.append(UInt8(ascii: "\n"))
            try put(buffer.array)
        }
        func strings(_ key: StaticString, _ lists: [[String]], _ object: inout LineBuffer) {
            object.list(key, lists) { object, list in object.list(list) { JSONText.append($1, to: &$0) } }
        }
        try line { object in
            object.field("counters", Self.version)
            object.field("start", start)
            object.hexadecimal("output", output)
            object.field("once", copies != nil)
            strings("filter", filter, &object)
        }
        for log in logs {
            try line { object in
                object.hexadecimal("log", log.start)
                object.field("lines", log.lines.count)
                object.hexadecimal("last", log.lines.lastHash)
                guard let identity = log.state.identity else { return }
                object.hexadecimal("device", identity.device)
                object.hexadecimal("file", identity.number)
                object.field("size", log.state.content.size)
                object.field("modified", log.state.content.modified)
            }
        }
        for (name, series) in series.ordered(by: { $0.key.utf8Precedes($1.key) }) {
            let before = seriesBefore[name] ?? [:]
            for (labels, series) in series {
                try line { object in
                    object.field("series", name)
                    strings("labels", labels.map { [$0.name, $0.value] }, &object)
                    object.field("value", series.value)
                    object.field("created", series.created)
                    object.field("begun", before[labels] == nil)
                }
            }
        }
        let identities = copies?.identities ?? FirstCopies.Identities()
        for (key, list) in Self.identityKeys {
            let numbers = identities[keyPath: list]
            for first in stride(from: 0, to: numbers.count, by: Self.identitiesInLine) {
                try line { object in
                    object.key(key)
                    object.append(UInt8(ascii: "\""))
                    for number in numbers[first..<min(first + Self.identitiesInLine, numbers.count)] {
                        object.append(hexadecimal: number, digits: 16)
                    }
                    object.append(UInt8(ascii: "\""))
                }
            }
        }
        try put(Array(#"{"sum":"#.utf8))
        try JSONRenderer().render(sum) { try put($0.last == UInt8(ascii: "\n") ? $0.dropLast() : $0) }
        try put(Array("}\n".utf8))
        var end = LineBuffer()
        end.object { $0.hexadecimal("end", hash.value) }
        end.append(UInt8(ascii: "\n"))
        try sink.write(end.array)
    }

    private static var identityKeys: [(StaticString, WritableKeyPath<FirstCopies.Identities, [UInt64]>)] {
        [
            ("conflicts", \.conflicts), ("writes", \.writes), ("edits", \.edits), ("waitingProven", \.waitingProven),
            ("waitingSuspected", \.waitingSuspected), ("clockSuspects", \.clockSuspects),
        ]
    }

    // MARK: Reading

    /// Reads what ``write(to:)`` wrote.
    ///
    /// - Complexity: O(*n* log *n*) in the bytes.
    init(_ bytes: [UInt8]) throws(Problem) {
        do {
            try self.init(lines: bytes)
        } catch let problem as Problem {
            throw problem
        } catch let error as AuditAnalysisError {
            throw .damaged(error.description)
        } catch {
            throw .damaged("a line is not JSON")
        }
    }

    private init(lines bytes: [UInt8]) throws {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        func reader(_ line: ArraySlice<UInt8>) throws -> SummaryReader {
            guard let object = try JSONParser.parse(line.span).object else { throw Problem.damaged("a line is no object") }
            return SummaryReader(fields: object, path: "", of: "file of counters")
        }
        guard let first = lines.first else { throw Problem.damaged("it is empty") }
        let head = try reader(first)
        let version = try head.count("counters")
        guard version == Self.version else { throw Problem.version("\(version)") }
        guard let last = lines.last, lines.count > 1, bytes.last == UInt8(ascii: "\n"),
            try reader(last).hexadecimal("end") == FNV1a.hash(bytes.span.extracting(..<last.startIndex))
        else { throw Problem.damaged("its end is missing, or it was changed") }

        guard let start = try head.value("start").integer else { throw head.failure("start", "is no whole number") }
        self.start = start
        output = try head.hexadecimal("output")
        filter = try head.lists("filter")
        var (logs, identities, sum): ([WatchedFiles.Log], FirstCopies.Identities, Summary?) = ([], .init(), nil)
        var (series, before): (Series, Series) = ([:], [:])
        for line in lines.dropFirst().dropLast() {
            let line = try reader(line)
            if line.has("log") {
                logs.append(try WatchedFiles.Log(line))
            } else if line.has("series") {
                let labels = try line.lists("labels").map { pair in
                    guard pair.count == 2 else { throw line.failure("labels", "holds what is not a label and its value") }
                    return MetricFamily.Label(name: pair[0], value: pair[1])
                }
                guard let created = try line.value("created").integer else { throw line.failure("created", "is no whole number") }
                let written = CounterHistory.Series(created: created, value: try line.count("value"))
                let name = try line.text("series")
                guard series[name, default: [:]].updateValue(written, forKey: labels) == nil else {
                    throw line.failure("labels", "are those of another line")
                }
                if try !line.bool("begun") { before[name, default: [:]][labels] = written }
            } else if line.has("sum") {
                guard sum == nil, let object = try line.value("sum").object else {
                    throw line.failure("sum", "is there twice, or is no object")
                }
                sum = try Summary(json: object)
            } else if let (key, list) = Self.identityKeys.first(where: { line.has("\($0.0)") }) {
                identities[keyPath: list] += try line.identities("\(key)")
            }
        }
        guard let sum else { throw Problem.damaged("it has no sum") }
        (self.logs, self.sum, self.series, seriesBefore) = (logs, sum, series, before)
        guard try head.bool("once") else {
            copies = nil
            return
        }
        guard let copies = FirstCopies(identities) else { throw Problem.damaged("an identity is there twice, or one too many") }
        self.copies = copies
    }
}

extension SummaryReader {
    /// Lists of strings.
    fileprivate func lists(_ key: String) throws(AuditAnalysisError) -> [[String]] {
        var lists: [[String]] = []
        for value in try list(key) {
            let strings = (value.array ?? []).compactMap(\.string)
            guard strings.count == value.array?.count else { throw failure(key, "holds what is not a list of strings") }
            lists.append(strings)
        }
        return lists
    }

    /// A number of 16 hexadecimal digits.
    fileprivate func hexadecimal(_ key: String) throws(AuditAnalysisError) -> UInt64 {
        let numbers = try identities(key)
        guard numbers.count == 1 else { throw failure(key, "is not 16 hexadecimal digits") }
        return numbers[0]
    }

    /// Numbers of 16 hexadecimal digits each.
    fileprivate func identities(_ key: String) throws(AuditAnalysisError) -> [UInt64] {
        let digits = Array(try text(key).utf8)
        guard digits.count.isMultiple(of: 16) else { throw failure(key, "is not 16 hexadecimal digits") }
        var numbers: [UInt64] = []
        numbers.reserveCapacity(digits.count / 16)
        for first in stride(from: 0, to: digits.count, by: 16) {
            var number: UInt64 = 0
            for digit in digits[first..<first + 16] {
                switch digit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
                default: throw failure(key, "is not 16 hexadecimal digits")
                }
            }
            numbers.append(number)
        }
        return numbers
    }
}

extension WatchedFiles.Log {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        let lines = ReadLines(count: try reader.count("lines"), lastHash: try reader.hexadecimal("last"))
        var state = FileState(identity: nil, content: .init())
        if reader.has("file") {
            guard let modified = try reader.value("modified").integer else { throw reader.failure("modified", "is no whole number") }
            state = FileState(
                identity: FileIdentity(device: try reader.hexadecimal("device"), number: try reader.hexadecimal("file")),
                content: .init(size: Int64(try reader.count("size")), modified: modified))
        }
        self.init(start: try reader.hexadecimal("log"), state: state, lines: lines)
    }
}
