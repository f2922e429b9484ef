import AuditAnalysis
import AuditLive
import AuditLog
import SyncBytes
import SyncLines
import SyncModel
import SyncSystem

/// A line that was appended to a file to give a value back, and can be taken out again while it is the last one there.
struct RestorationFile {
    private let path: String
    private let line: [UInt8]
    private let record: String
    private let identity: OperandIdentity?

    /// Appends the line of a restoration.
    ///
    /// - Parameter inputs: What is read, which no line may be appended to.
    /// - Throws: ``CommandError`` where the file is one of the inputs, holds anything but lines of a log or trace, or cannot be written.
    init(appending restoration: LiveRestoration, apartFrom inputs: [CommandInput], _ context: CommandContext) throws(CommandError) {
        let home = restoration.path.hasPrefix("~/") ? context.environment("HOME") : nil
        path = home.map { $0 + restoration.path.dropFirst() } ?? restoration.path
        line = WriteLine.bare(restoration.write) + [UInt8(ascii: "\n")]
        record = EventText.register(restoration.write.key, nil)
        let name = path.escaped(for: .terminal)
        if let old = OperandIdentity(path), inputs.contains(where: { OperandIdentity($0, context) == old }) {
            throw CommandError(.usage, "\(name) is one of the logs on the screen; name another file")
        }
        // A pipe that nobody reads is not waited for.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw CommandError(.inputOutput, "\(name) cannot be written: \(Errno.last.sentence)") }
        defer { close(descriptor) }
        identity = OperandIdentity(descriptor: descriptor)
        // A pipe or a device takes what it gets.
        if identity != nil { try Self.checkLines(of: path) }
        if let error = writeBytes(line, to: descriptor) {
            throw CommandError(.inputOutput, "\(name): writing failed: \(error.sentence)")
        }
    }

    /// Makes sure that a file is empty, or begins with a line that a log or trace can hold and ends with a line break.
    private static func checkLines(of path: String) throws(CommandError) {
        let name = path.escaped(for: .terminal)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw CommandError(.inputOutput, "\(name) cannot be read, so that what is in it is not known: \(Errno.last.sentence)")
        }
        defer { close(descriptor) }
        let length = (try? FileStatus(descriptor: descriptor))?.size ?? 0
        guard length > 0 else { return }
        guard (try? readBytes(descriptor, at: length - 1, count: 1)) == [UInt8(ascii: "\n")] else {
            throw CommandError(.badData, "the last line of \(name) has no end, and a line behind it would be part of it; name another file")
        }
        do throws(AuditLogError) {
            var reader = AuditLogReader(isLenient: false)
            var lines = try StreamedLines(path: path, waits: false)
            // None as long as it is not known what kind of log it is.
            while let found = try lines.read() {
                guard let first = found.first else { continue }
                _ = try reader.outcome(of: first)
                if first.bytes?.first == UInt8(ascii: "{") { return }
                break
            }
        } catch {
            throw CommandError(.badData, "\(error.description); name a file of write lines, or one that is not there yet")
        }
        throw CommandError(.badData, "\(name):1: this is no line of JSON; name a file of write lines, or one that is not there yet")
    }

    /// Takes the line out again, where it is still the last one of the file.
    ///
    /// - Returns: What was done, or why it was not.
    func takeBack() -> String {
        guard let identity else { return "not undone: what was written to \(path) cannot be taken back" }
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return "not undone: \(path) cannot be written: \(Errno.last.sentence)" }
        defer { close(descriptor) }
        let start = ((try? FileStatus(descriptor: descriptor))?.size ?? 0) - Int64(line.count)
        guard OperandIdentity(descriptor: descriptor) == identity, start >= 0,
            (try? readBytes(descriptor, at: start, count: line.count)) == line
        else { return "not undone: the line that restores \(record) is not the last one of \(path) any more" }
        guard ftruncate(descriptor, off_t(start)) == 0 else { return "not undone: \(path): \(Errno.last.sentence)" }
        return "undone: the line that restores \(record) is out of \(path) again"
    }
}
