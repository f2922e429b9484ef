import SyncModel

/// The contents of files that hold records, read from one `git cat-file` that runs as long as it is needed.
final class GitBlobs {
    private let repository: String
    private var process: GitProcess?
    /// Lately read contents: a file's content before a change is nearly always that after the change before.
    private var recent: [String: StructuredFile?] = [:]
    private var order: [String] = []

    private static let kept = 64

    init(repository: String) {
        self.repository = repository
    }

    /// The records in a content; nil where it holds none that can be read.
    func records(in blob: String, _ form: StructuredFile.Form) throws(TraceImportError) -> StructuredFile? {
        let key = form.rawValue + blob
        if let known = recent[key] { return known }
        let content = try content(of: blob)
        let file = content.flatMap { StructuredFile(Array($0), form) }
        if order.count == Self.kept { recent[order.removeFirst()] = nil }
        order.append(key)
        recent.updateValue(file, forKey: key)
        return file
    }

    /// What a blob holds; nil where it is not there, or too large.
    func content(of blob: String) throws(TraceImportError) -> ArraySlice<UInt8>? {
        let process: GitProcess
        if let running = self.process { process = running } else { process = try GitProcess(repository, ["cat-file", "--batch"]) }
        self.process = process
        try process.write(blob + "\n")
        guard let header = try process.next(before: 0x0a) else {
            self.process = nil
            if !process.endedForWantOfTransport { try process.finish() }
            return nil
        }
        let words = header.split(separator: UInt8(ascii: " "))
        // A partial clone lacks contents, and none are fetched.
        guard words.count == 3, let size = Int(String(decoding: words[2], as: UTF8.self)) else { return nil }
        let content = try process.bytes(size)
        _ = try process.bytes(1)
        return words[1].elementsEqual("blob".utf8) && size <= GitProcess.largestPiece ? content : nil
    }
}
