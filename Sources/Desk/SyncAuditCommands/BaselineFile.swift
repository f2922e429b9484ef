import FileFormats
import SyncBytes
import SyncModel
import SyncSystem

/// Reads the file of `--baseline`.
enum BaselineFile {
    /// The file's value.
    ///
    /// - Throws: ``CommandError`` where it is not there, is larger than what such files hold, or is no JSON.
    static func value(_ path: String) throws(CommandError) -> FieldValue {
        let bytes: [UInt8]?
        do throws(Errno) {
            bytes = try contents(ofFile: path, atMost: FindingsFile.maximumSize)
        } catch {
            throw CommandError(.noInput, "\(path.quoted): \(error.sentence)")
        }
        guard let bytes, let value = try? JSONParser.parse(bytes.span) else { throw isNone(path) }
        return value
    }

    /// Says that a file is no baseline.
    static func isNone(_ path: String) -> CommandError {
        CommandError(.badData, "\(path.quoted) is no baseline: make one with --write-baseline")
    }
}
