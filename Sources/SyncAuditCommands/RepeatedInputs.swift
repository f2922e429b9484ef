import AuditAnalysis
import AuditLog
import SyncLines
import SyncModel
import SyncSystem

/// Inputs that are read more than once.
///
/// What can be read only from front to back, such as a pipe, is first copied to a temporary file that has no name and goes with the
/// process.
final class RepeatedInputs {
    private enum Input {
        case path(String)
        /// A descriptor, where its content begins, and what it is called.
        case descriptor(Int32, start: off_t, name: String)
    }

    private var inputs: [Input] = []
    private var owned: [Int32] = []
    private let isLenient: Bool
    private let reading: LineReading
    private let awaitsLineBreak: Bool

    /// Prepares inputs.
    ///
    /// - Parameters:
    ///   - reading: What is taken besides the format itself.
    ///   - awaitsLineBreak: Whether files may grow, so that a last line without a line break is not read yet.
    /// - Throws: ``CommandError`` where one cannot be copied.
    init(
        _ inputs: [CommandInput], isLenient: Bool, reading: LineReading = LineReading(), awaitsLineBreak: Bool = false,
        _ context: CommandContext
    ) throws {
        self.isLenient = isLenient
        self.reading = reading
        self.awaitsLineBreak = awaitsLineBreak
        for input in inputs {
            switch input {
            case .file(let path):
                guard Operands.isStream(path) else {
                    self.inputs.append(.path(path))
                    continue
                }
                let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw CommandError(.noInput, "\(input.name): cannot be read: \(Errno.last.sentence)") }
                defer { close(descriptor) }
                self.inputs.append(.descriptor(try copy(of: descriptor, named: input.name, context), start: 0, name: input.name))
            case .standardInput:
                let start = lseek(context.standardInput, 0, SEEK_CUR)
                self.inputs.append(
                    start >= 0
                        ? .descriptor(context.standardInput, start: start, name: input.name)
                        : .descriptor(try copy(of: context.standardInput, named: input.name, context), start: 0, name: input.name))
            }
        }
    }

    deinit {
        for descriptor in owned { close(descriptor) }
    }

    /// Reads everything from the first line to the last.
    ///
    /// - Parameters:
    ///   - onRead: Is told of every reading.
    ///   - summary: Takes each summary that is given instead of a line; without it a summary is a line that cannot be understood.
    ///   - body: Takes each line and its location.
    /// - Returns: What was read.
    @discardableResult
    func read(
        onRead: ReadingObserver? = nil, summary: ((FieldMap, AuditLogReader.Location) throws -> Void)? = nil,
        _ body: (AuditLine, AuditLogReader.Location) throws -> Void
    ) throws -> AuditLogReader.Counts {
        var reader = AuditLogReader(isLenient: isLenient)
        reader.decoder.reading = reading
        reader.onRead = onRead
        reader.awaitsLineBreak = awaitsLineBreak
        for input in inputs {
            switch input {
            case .path(let path): try reader.read(path: path, summary: summary, body)
            case .descriptor(let descriptor, let start, let name):
                lseek(descriptor, start, SEEK_SET)
                try reader.read(descriptor: descriptor, name: name, summary: summary, body)
            }
        }
        return reader.counts
    }

    /// Audits everything from the first line to the last; see ``AuditAnalysis/TraceAudit``.
    func audit(_ audit: inout TraceAudit, _ write: ([UInt8]) throws -> Void) throws {
        for input in inputs {
            switch input {
            case .path(let path): try audit.audit(path: path, write)
            case .descriptor(let descriptor, let start, let name):
                lseek(descriptor, start, SEEK_SET)
                try audit.audit(descriptor: descriptor, name: name, write)
            }
        }
    }

    private func copy(of source: Int32, named name: String, _ context: CommandContext) throws(CommandError) -> Int32 {
        let descriptor = try ScratchFile.make(for: "\(name) has to be read twice", context)
        owned.append(descriptor)
        var block = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe block.withUnsafeMutableBytes { unsafe systemRead(source, $0) }
            if count == 0 { return descriptor }
            if count < 0 {
                if errno == EINTR { continue }
                throw CommandError(.inputOutput, "\(name): reading failed: \(Errno.last.sentence)")
            }
            var written = 0
            while written < count {
                let more = unsafe block.withUnsafeBytes { bytes in
                    unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, count - written)
                }
                if more < 0, errno != EINTR {
                    throw CommandError(
                        .inputOutput,
                        "the temporary file in \(ScratchFile.folder(context).quoted) cannot be written: \(Errno.last.sentence)")
                }
                written += max(0, more)
            }
        }
    }
}
