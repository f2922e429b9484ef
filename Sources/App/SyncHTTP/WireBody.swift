import SyncBytes
import SyncLayer
import SyncLines
import SyncModel

/// The content of messages: an object of JSON, or lines of it; either may be gzip data.
enum WireBody {
    static let json = "application/json"
    static let lines = "application/x-ndjson"

    /// Content is compressed from this length on: less does not get smaller.
    static let compressibleLength = 512

    /// The content of a body, decompressed where it is gzip data: who carries it may have done so already, and left the header as it was.
    static func content(of body: [UInt8], limit: Int) throws -> [UInt8] {
        if body.count > limit { throw tooLarge("\(body.count) bytes", limit) }
        if !Gzip.recognizes(body) { return body }
        do {
            return try Gzip.decompressed(body, limit: limit)
        } catch Gzip.Failure.tooLarge {
            throw tooLarge("more, decompressed", limit)
        } catch Gzip.Failure.cutOff {
            throw CutOff(problem: "its gzip data end too early")
        } catch {
            throw WireFailure(400, "the body begins as gzip data and cannot be decompressed: send it whole, or as it is")
        }
    }

    private static func tooLarge(_ size: String, _ limit: Int) -> WireFailure {
        WireFailure(413, "the body has \(size), and \(limit) bytes are allowed: send less at once", code: .batchTooLarge)
    }

    /// The object that a body is.
    static func object(_ body: [UInt8], limit: Int) throws -> LineFields {
        let content = try content(of: body, limit: limit)
        return try object(content.span, "the body")
    }

    /// Calls a body with each line that is not blank, which must be an object.
    static func forEachObject(_ body: [UInt8], limit: Int, _ take: (LineFields) throws -> Void) throws {
        try forEachLine(body, limit: limit) { try take(try object($0, "a line")) }
    }

    /// - Throws: ``CutOff`` where the text ends before the object does.
    private static func object(_ text: Span<UInt8>, _ name: String) throws -> LineFields {
        var outline = JSONOutline()
        do throws(JSONError) {
            try outline.parse(text)
        } catch {
            if error.reason == .cutOff { throw CutOff(problem: "\(name) ends too early") }
            throw LineError("\(name) is no JSON")
        }
        guard outline.kind(at: 0) == .object else { throw LineError("\(name) is no object of JSON") }
        return LineFields(outline)
    }

    /// Calls a body with each line that is not blank.
    static func forEachLine(_ body: [UInt8], limit: Int, _ take: (Span<UInt8>) throws -> Void) throws {
        let content = try content(of: body, limit: limit)
        let bytes = content.span
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            let line = bytes.extracting(start..<end)
            if !line.isBlank { try take(line) }
            start = end + 1
        }
    }

    /// Writes as lines of the log format.
    static func lines(of writes: [TaggedWrite]) -> [UInt8] {
        var bytes: [UInt8] = []
        for write in writes {
            bytes += WriteLine.bare(write)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// The write that a line is.
    static func write(_ line: LineFields) throws(LineError) -> TaggedWrite {
        var revisions: RevisionGraph?
        return try WriteLine.write(line, revisions: &revisions) { _ in nil }
    }
}

extension WireRequest {
    func sending(_ writes: [TaggedWrite]) -> WireRequest { sending(WireBody.lines(of: writes), WireBody.lines) }

    /// The request with content, compressed where that makes it smaller.
    func sending(_ content: [UInt8], _ type: String) -> WireRequest {
        var request = self
        request.headers["Content-Type"] = type
        request.body = content
        if content.count >= WireBody.compressibleLength, let smaller = try? Gzip.compressed(content), smaller.count < content.count {
            request.body = smaller
            request.headers["Content-Encoding"] = "gzip"
        }
        return request
    }
}
