import SyncBytes
package import SyncModel

/// Something in logs that must not be.
///
/// ```swift
/// for finding in checker.finish().findings { print(finding.kind.rawValue, finding.sentence) }
/// ```
public struct CheckFinding: Hashable, Sendable {
    /// What it is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A line that cannot be understood.
        case schema
        /// A last line that breaks off.
        case torn
        /// A line that is missing, or that the log itself says was not written.
        case missingLine = "missing_line"
        /// A line that comes before another whose number is lower, or has no number where the others of its log have.
        case order
        /// A line or a write that is there twice.
        case duplicate
        /// A conflict's line that is not what its writes make.
        case decision
        /// A conflict that the writes of a log bring to light and of which no line tells.
        case missingConflict = "missing_conflict"
        /// Devices that tell of one conflict, or of the hub's order, differently.
        case divergence
        /// Replicas that had merged the same and held something else.
        case checkpoint
        /// A write that was acknowledged, or that others passed by, and is missing from a log.
        case missingWrite = "missing_write"
        /// Devices whose writes are there and whose own logs are not.
        case absentLog = "absent_log"
        /// A time that is not that of the edit which it stamps.
        case stamp
        /// One name for two writes.
        case identity
        /// Writes that name each other as seen.
        case seen
        /// Two devices that keep taking a field from each other.
        case alternation
        /// A device that deletes or overwrites much of what there is within one sync.
        case massEffect = "mass_effect"
        /// A clock that is off.
        case clock
        /// A write or a queue that is larger than CloudKit takes.
        case size

        /// Whether it is no fault of the logs, but something to know.
        ///
        /// What many deletes mean only the app's makers know: the logs are sound where a person has emptied a list.
        package var isWarning: Bool { self == .size || self == .massEffect || self == .absentLog }
    }

    /// What a finding is known by, whatever line or file tells of it: two of one identity are the same finding.
    package struct Identity: Hashable, Sendable {
        /// What it is about.
        package let kind: Kind
        /// Which device, write, conflict, lines or file.
        package let subject: String

        /// The longest subject that is kept as it is, in bytes.
        private static let limit = 200

        /// An identity.
        ///
        /// - Parameter subject: Of a longer one than 200 bytes the beginning is kept, and a hash of the whole.
        package init(_ kind: Kind, _ subject: String) {
            self.kind = kind
            guard subject.utf8.count > Self.limit else {
                self.subject = subject
                return
            }
            self.subject = String(decoding: subject.utf8.prefix(Self.limit / 2), as: UTF8.self) + "… " + FNV1a.digits(of: subject)
        }

        /// Sixteen hexadecimal digits that stand for both.
        package var hash: String { FNV1a.digits(of: kind.rawValue, subject) }
    }

    /// A file, and the line in it where one line tells of a finding.
    package struct Location: Hashable, Sendable {
        /// The name of the file as it was given.
        package let file: String
        /// The number of the line, from 1; nil for the file as a whole.
        package let line: Int?

        /// A location.
        package init(file: String, line: Int?) { (self.file, self.line) = (file, line) }
    }

    /// What it is about.
    public var kind: Kind { identity.kind }
    /// A sentence that names the location, without its full stop; nothing in it acts on a terminal.
    public let sentence: String

    /// The sentence without the location.
    package let statement: String

    /// What it is known by.
    package let identity: Identity

    /// Where it is; nil for one that is about all files.
    package let location: Location?

    /// The record that the statement names, where it names one.
    package let key: RecordKey?

    /// A finding.
    ///
    /// - Parameters:
    ///   - statement: The sentence without the location.
    ///   - prefix: The location as the sentence begins with it.
    ///   - key: The record that the statement names.
    package init(
        _ identity: Identity, at location: Location?, _ statement: String, prefix: String = "", about key: RecordKey? = nil
    ) {
        (self.identity, self.location, self.statement, self.key) = (identity, location, statement, key)
        sentence = prefix + statement
    }

    /// The sentence, with what people call the record instead of its identity.
    package func sentence(_ names: RecordNames) -> String {
        guard let key, names[key] != nil else { return sentence }
        let named = statement.replacing(EventText.register(key, nil), with: EventText.register(key, nil, names), maxReplacements: 1)
        return sentence.dropLast(statement.count) + named
    }
}
