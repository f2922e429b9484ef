import SyncBytes
import SyncLayer

/// The path and the query of a request's target, percent-encoded as RFC 3986 says.
///
/// Of a key that comes twice the last counts. A plus sign is a plus sign.
struct WireQuery {
    /// The segments of the path, decoded.
    let segments: [String]
    private var values: [String: String] = [:]

    /// Reads a target.
    ///
    /// - Throws: ``/SyncLayer/SyncLayerError`` with ``/SyncLayer/SyncLayerError/Code/invalidValue`` where it is not UTF-8 or a percent sign
    ///   is no escape.
    init(_ target: String) throws(SyncLayerError) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var segments: [String] = []
        for segment in parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            segments.append(try Self.decoded(segment))
        }
        self.segments = segments
        guard parts.count > 1 else { return }
        for pair in parts[1].split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[try Self.decoded(halves[0])] = halves.count > 1 ? try Self.decoded(halves[1]) : ""
        }
    }

    /// The value of a key; nil where it is absent.
    func string(_ key: String) -> String? { values[key] }

    /// The whole number of a key from 0 on; nil where it is absent.
    func number(_ key: String) throws(SyncLayerError) -> UInt64? {
        guard let value = values[key] else { return nil }
        guard let number = UInt64(value) else {
            throw SyncLayerError(.invalidValue, "\(key.quoted) is \(value.quoted); a whole number from 0 on is expected")
        }
        return number
    }

    /// Keys and values as they are put behind a path; a value that is nil is left out.
    static func encoded(_ pairs: KeyValuePairs<String, String?>) -> String {
        let given = pairs.compactMap { key, value in value.map { "\(key)=\($0.percentEncoded)" } }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }

    private static func decoded(_ text: Substring) throws(SyncLayerError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                throw SyncLayerError(.invalidValue, "\(String(text).quoted) holds a percent sign that is no escape: write %25")
            }
            bytes.append(high << 4 | low)
        }
        let decoded = String(decoding: bytes, as: UTF8.self)
        guard decoded.utf8.elementsEqual(bytes) else {
            throw SyncLayerError(.invalidValue, "\(String(text).quoted) is not UTF-8 where it is unescaped")
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
}
