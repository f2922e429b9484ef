package import ConflictAudit
import SyncBytes
package import SyncLines
package import SyncModel

/// Reads audit lines, and the bare form of write lines that other systems may emit.
///
/// Keys may come in any order and unknown ones are ignored. A line that another logger has wrapped into one of its own is unwrapped:
/// `eventMessage` of Apple's log, `MESSAGE` of journald, `log` of container logs. What Core Data says there of its mirroring to CloudKit
/// becomes a `sync` event. The decoder numbers writes that carry no `n`, so one decoder reads one trace from its first line to its last. A
/// value type; its owner guards it.
package struct LineDecoder {
    /// What a line turned out to be.
    package enum Outcome: Hashable, Sendable {
        /// An event that this version knows.
        case line(AuditLine)
        /// An event that it does not know, by its name; the name is empty for another logger's line that carries none of ours.
        case unknownEvent(String)
        /// An event of Apple's log with the time as it is written there: without a year or an offset from UTC, or empty.
        case undated(AuditEvent.Content, time: String)
        /// A summary of other logs, as `syncaudit report --format summary` writes it: an object with the key `summary` and no event.
        case summary(FieldMap)
        /// White space only.
        case blank
    }

    /// The highest number of each device's writes; kept only where writes are numbered by it.
    var numbering = DeviceNumbers()
    /// The revisions that lines have named; kept only where writes are numbered too.
    package private(set) var revisions: RevisionGraph?
    private var scanner = WriteScanner()
    /// The line at hand, where it is no ordinary write.
    private var outline = JSONOutline()
    private let isFast: Bool
    private let numbersWrites: Bool

    /// What is taken besides the format itself.
    package var reading = LineReading()

    /// The line that was unwrapped by the last call of ``decode(_:)``, or made of a message about mirroring; nil where the line was not
    /// wrapped.
    package private(set) var unwrapped: [UInt8]?

    /// The category of the log out of which the last call of ``decode(_:)`` unwrapped its line; nil where the line names none.
    package private(set) var category: String?

    /// A decoder at the start of a trace.
    package init() {
        self.init(isFast: true)
    }

    /// A decoder of a certain kind.
    ///
    /// - Parameters:
    ///   - isFast: Whether ordinary lines take the short way; the answers are the same.
    ///   - numbersWrites: Whether writes without `n` get the number that follows; otherwise they get the highest there is, and the decoder
    ///     may be given the lines of a trace in any order.
    package init(isFast: Bool = true, numbersWrites: Bool = true) {
        self.isFast = isFast
        self.numbersWrites = numbersWrites
        revisions = numbersWrites ? RevisionGraph() : nil
    }

    /// Says what a line of an input is: the one way by which lines become events, whoever reads them.
    ///
    /// - Parameters:
    ///   - line: The line, without its line break.
    ///   - isFirst: Whether its file begins with it: it may have a byte order mark, and tells a file of another sort.
    ///   - isUnfinished: Whether its file ends with it, without a line break.
    ///   - takesSummaries: Whether a summary may be there instead of a line.
    /// - Throws: ``LineProblem``.
    package mutating func outcome(
        of line: Span<UInt8>, isFirst: Bool, isUnfinished: Bool, takesSummaries: Bool = false
    ) throws(LineProblem) -> Outcome {
        let line = isFirst && line.hasByteOrderMark ? line.extracting(3...) : line
        let outcome: Outcome
        do throws(LineProblem) {
            outcome = try decode(line)
        } catch {
            throw error.located(line, isFirst: isFirst, isUnfinished: isUnfinished)
        }
        if case .summary = outcome, !takesSummaries { throw .summary }
        return outcome
    }

    /// The same for a line of a file or a stream.
    package mutating func outcome(of line: InputLine) throws(LineProblem) -> Outcome {
        guard let bytes = line.bytes else { throw .tooLong() }
        return try outcome(of: bytes.span, isFirst: line.isFirst, isUnfinished: line.isUnfinished)
    }

    /// Reads one line, without its line break, wherever it is.
    ///
    /// - Throws: ``LineProblem``.
    /// - Complexity: O(*n* log *n*) in the bytes of the line at worst.
    package mutating func decode(_ bytes: Span<UInt8>) throws(LineProblem) -> Outcome {
        unwrapped = nil
        category = nil
        if isFast, let line = scanner.scan(bytes, number: { Self.number(after: numbering[$0], isNext: numbersWrites) }) {
            remember(line.write.dot)
            let event = AuditEvent(at: line.write.timestamp.milliseconds, .write(line.write))
            return .line(AuditLine(sequence: line.sequence, source: line.source, event: event))
        }
        if bytes.isBlank { return .blank }
        if Envelope.isHeading(bytes) { return .unknownEvent("") }
        try parse(bytes)
        if hasEvent { return try outcome() }
        let object = LineFields(outline).fields
        if object["summary"] != nil { return .summary(object) }
        if Envelope.isFooting(object) { return .unknownEvent("") }
        guard let text = Envelope.text(in: object) else { return try outcome() }
        category = object["category"]?.string
        guard Envelope.mayBeLine(text) else {
            guard let content = MirroringMessage.content(of: object, text: text) else { return .unknownEvent("") }
            guard let milliseconds = MirroringMessage.milliseconds(of: object) else {
                return object[AppleLogRecord.Key.undated]?.string.map { .undated(content, time: $0) } ?? .unknownEvent("")
            }
            let line = AuditLine(event: AuditEvent(at: milliseconds, content))
            var bytes: [UInt8] = []
            LineEncoder.append(line, to: &bytes)
            unwrapped = bytes.dropLast()
            return .line(line)
        }
        let line = Array(text)
        do throws(LineProblem) {
            try parse(line.span)
        } catch {
            // The line itself is whole.
            throw LineProblem(sentence: error.sentence)
        }
        guard hasEvent else { return .unknownEvent("") }
        unwrapped = line
        return try outcome()
    }

    /// Parses a line, which must be an object.
    private mutating func parse(_ bytes: Span<UInt8>) throws(LineProblem) {
        do throws(JSONError) {
            try outline.parse(bytes)
        } catch {
            throw LineProblem(
                sentence: "\(error.problem) (byte \(error.offset + 1) of the line)", kind: error.reason == .cutOff ? .cutOff : .broken)
        }
        guard outline.kind(at: 0) == .object else {
            throw LineProblem(sentence: "the line must be a JSON object, not \(outline.value(at: 0).described)")
        }
    }

    private var hasEvent: Bool { outline.value(of: LineKey.event.text, in: 0) != nil }

    /// What the line that was parsed turns out to be.
    private mutating func outcome() throws(LineProblem) -> Outcome {
        do throws(LineError) {
            return try outcome(LineFields(outline, reading: reading))
        } catch {
            throw LineProblem(sentence: error.problem)
        }
    }

    private mutating func outcome(_ line: LineFields) throws(LineError) -> Outcome {
        let version = try line.optionalInteger(.version, in: 0 ... .max) ?? Int64(AuditLine.formatVersion)
        guard version == AuditLine.formatVersion else {
            throw LineError(
                "\"v\" is \(version): this program reads version \(AuditLine.formatVersion) of the format; a newer program wrote the line")
        }
        let word = try line.string(.event)
        guard let name = EventName(rawValue: word) else { return .unknownEvent(word) }
        let content = try content(name, line)
        let milliseconds = try line.date(.timestamp)
        var result = AuditLine(
            sequence: try line.optionalInteger(.sequence, in: 1 ... .max).map(UInt64.init),
            source: try line.optionalString(.source).map { DeviceID($0) }, event: AuditEvent(at: milliseconds, content))
        if case .conflict(let conflict) = content { result.contradiction = ConflictLine.contradiction(conflict, line) }
        return .line(result)
    }

    private mutating func content(_ name: EventName, _ line: LineFields) throws(LineError) -> AuditEvent.Content {
        switch name {
        case .write:
            // Moved, so that it is changed where it lies while the numbers are looked at.
            var revisions = revisions.take()
            defer { self.revisions = revisions }
            let write = try WriteLine.write(line, revisions: &revisions) { Self.number(after: numbering[$0], isNext: numbersWrites) }
            remember(write.dot)
            return .write(write)
        case .conflict: return .conflict(try ConflictLine.conflict(line))
        case .merge: return .merge(try MergeLine.merge(line))
        case .statistics: return .statistics(try StatisticsLine.statistics(line))
        case .sync:
            return .sync(
                SyncActivity(
                    phase: try line.choice(.phase), state: try line.choice(.state), writes: Int(clamping: try line.integer(.writes)),
                    bytes: Int(clamping: try line.integer(.bytes)), duration: .milliseconds(try line.integer(.duration)),
                    error: try line.optionalString(.error),
                    delays: line.has(.delays) ? try StatisticsLine.gaps(try line.object(.delays)) : nil,
                    // A size that is none is passed over, like any key that means nothing.
                    storeBytes: line.optional(.storeBytes)?.integer.flatMap { $0 < 0 ? nil : $0 },
                    device: line.has(.device) ? DeviceID(try line.name(.device)) : nil))
        case .remoteChange:
            return .remoteChange(
                RemoteChange(
                    changes: Int(clamping: try line.integer(.changes)), refreshVersion: Int(clamping: try line.integer(.refreshVersion))))
        case .acknowledgement: return .acknowledgement(try AcknowledgementLine.acknowledgement(line))
        case .outbox: return .outbox(try OutboxLine.status(line))
        case .refresh: return .refresh(try RefreshLine.report(line))
        case .rules: return .rules(.object(try line.object("rules").fields))
        case .network: return .network(status: try line.string(.status), interface: try line.optionalString(.interface))
        case .account: return .account(status: try line.string(.status))
        case .clock:
            return .clock(
                ClockMeasurement(
                    device: DeviceID(try line.name(.device)), offset: .milliseconds(try line.integer(.offset, in: -Int64.max ... .max)),
                    uncertainty: .milliseconds(try line.integer(.uncertainty))))
        case .checkpoint:
            guard let seen = try line.versionVector(.seen) else { throw LineError("the key \"seen\" is missing") }
            return .checkpoint(Checkpoint(seen: seen, records: Int(clamping: try line.integer(.records)), digest: try line.string(.digest)))
        case .log: return .log(try logNote(line))
        }
    }

    /// The number that follows, or the highest; nil where the next could not be written down.
    private static func number(after last: UInt64?, isNext: Bool) -> UInt64? {
        guard isNext, let last else { return isNext ? 1 : UInt64(Int64.max) }
        return last < UInt64(Int64.max) ? last + 1 : nil
    }

    /// The next write without a number comes after the highest one known.
    package mutating func remember(_ dot: Dot) {
        if numbersWrites { numbering.record(dot.device, dot.sequence) }
    }

    /// The same for several writes.
    package mutating func remember(_ numbers: DeviceNumbers) {
        guard numbersWrites else { return }
        for entry in numbers.entries { numbering.record(entry.device, entry.number) }
    }

    private func logNote(_ line: LineFields) throws(LineError) -> LogNote {
        if line.has("opened") { return .opened }
        if line.has("rotated") { return .rotated }
        if let count = try line.optionalInteger("dropped") { return .dropped(Int(clamping: count)) }
        if let count = try line.optionalInteger("truncated") { return .truncated(Int(clamping: count)) }
        if let bytes = try line.optionalInteger("recovered") { return .recovered(Int(clamping: bytes)) }
        if let count = try line.optionalInteger("forgotten") { return .forgotten(Int(clamping: count)) }
        if let reason = try line.optionalString("unobserved") {
            let field = try line.optionalString(.field).map { FieldName($0) }
            return .unobserved(UnobservedField(type: RecordType(try line.name(.recordType)), field: field, reason: reason))
        }
        throw LineError("a log line must hold one of opened, rotated, dropped, truncated, recovered, forgotten and unobserved")
    }
}
