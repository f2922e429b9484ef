import SyncBytes
public import SyncModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension FieldValue {
    /// A date as RFC 3339 writes it, to the millisecond; nil for one out of the years 0 to 9999.
    public init?(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let milliseconds = Int64(exactly: milliseconds), RFC3339.range.contains(milliseconds) else { return nil }
        self = .string(RFC3339.string(milliseconds: milliseconds))
    }

    /// The date of a string that RFC 3339 writes, nil for every other value.
    public var date: Date? {
        guard let string, let milliseconds = RFC3339.milliseconds(Array(string.utf8).span) else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// A UUID as a string.
    public init(_ uuid: UUID) { self = .string(uuid.uuidString) }

    /// The UUID that a string writes, nil for every other value.
    public var uuid: UUID? { string.flatMap { UUID(uuidString: $0) } }

    /// Data as base64.
    public init(_ data: Data) { self = .string(data.base64EncodedString()) }

    /// The data that a string writes as base64, nil for every other value.
    public var data: Data? { string.flatMap { Data(base64Encoded: $0) } }
}
