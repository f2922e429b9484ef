import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

extension AuditLogReader {
    /// Reads the lines of a block that are no ordinary writes, after all blocks before it.
    ///
    /// - Parameter lines: How many lines the input held before the block; then how many it holds with it.
    /// - Throws: What is wrong with a line, where the reader is not lenient; the block then ends before it.
    mutating func resolve(_ block: inout DecodedBlock, name: String, after lines: inout Int) throws(AuditLogError) {
        defer { lines += block.count }
        if block.isPlain {
            counts.lines += block.count
            decoder.remember(block.numbers)
            return
        }
        for line in 0..<block.count {
            guard let other = block.others[line] else {
                counts.lines += 1
                if let write = block.write(at: line) { decoder.remember(write.dot) }
                continue
            }
            let location = Location(file: name, line: lines + line + 1)
            do throws(AuditLogError) {
                switch other {
                case .tooLong: try rejectTooLong(at: location)
                case .unread(let range, let isUnfinished):
                    switch try decode(block.bytes.span.extracting(range), at: location, isUnfinished: isUnfinished)?.event.content {
                    case .write(let write)?: block.replace(at: line, with: write)
                    case .clock(let measurement)?: block.replace(at: line, with: measurement)
                    case .merge(let merge)?: block.replace(at: line, with: merge)
                    default: break
                    }
                }
            } catch {
                // Nothing after the line at fault has been read.
                block.removeLines(from: line)
                throw error
            }
        }
    }
}
