import AuditAnalysis
import AuditLog
import SyncSystem

extension CommandContext {
    /// Inputs as one run of events.
    ///
    /// - Parameters:
    ///   - isLenient: Whether lines that cannot be understood are counted and passed over, instead of ending the reading.
    ///   - isRepeated: Whether they are read more than once: what can be read only from front to back, such as a pipe, is first copied to a
    ///     temporary file that has no name and goes with the process.
    /// - Throws: ``CommandError`` where one cannot be copied.
    func source(_ inputs: [CommandInput], isLenient: Bool, isRepeated: Bool = false) throws -> EventSource {
        try EventSource(inputs.map { try isRepeated ? repeated($0) : once($0) }, isLenient: isLenient)
    }

    private func once(_ input: CommandInput) -> EventSource.Input {
        if let stream = streams[input] { return .bytes(name: input.name) { stream.producer(onRead: $0) } }
        switch input {
        case .standardInput: return .descriptor(standardInput, start: nil, name: input.name)
        case .file(let path): return .file(path)
        }
    }

    private func repeated(_ input: CommandInput) throws -> EventSource.Input {
        if input == .standardInput, streams[input] == nil {
            let start = lseek(standardInput, 0, SEEK_CUR)
            if start >= 0 { return .descriptor(standardInput, start: Int64(start), name: input.name) }
        }
        guard let stream = try streams.open(input, self) else { return once(input) }
        let kept = try KeptStream(stream, input, for: "\(input.name) has to be read twice", self)
        return .bytes(name: input.name) { kept.lines(onRead: $0) }
    }
}

extension EventSource {
    /// Sums everything up on as many threads as are of use.
    func summarize(
        filter: ReportFilter, countsCopies: Bool, takesSummaries: Bool = true, _ context: CommandContext
    ) throws -> LogSummarizer {
        context.expectMuchMemory()
        // Beyond some threads there is little to gain: each has names of its own, which are put together at the end.
        var summarizer = LogSummarizer(
            filter: filter, countsCopies: countsCopies, isLenient: isLenient, threads: min(context.processors, 16))
        summarizer.onRead = onRead
        summarizer.takesSummaries = takesSummaries
        for input in inputs { try summarizer.read(try blocks(of: input), name: input.name) }
        return summarizer
    }

    /// Audits everything from the first line to the last; see ``AuditAnalysis/TraceAudit``.
    func audit(_ audit: inout TraceAudit, _ write: ([UInt8]) throws -> Void) throws {
        for input in inputs {
            switch input {
            case .file(let path): try audit.audit(path: path, write)
            case .descriptor(let descriptor, let start, let name):
                if let start { lseek(descriptor, off_t(start), SEEK_SET) }
                try audit.audit(descriptor: descriptor, name: name, write)
            case .bytes(let name, let make): try audit.audit(lines: make(onRead), name: name, write)
            }
        }
    }
}
