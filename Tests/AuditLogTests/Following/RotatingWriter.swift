import Foundation
import SyncOracle

/// Writes numbered lines to a file, as a program with a log does, and rotates it in one way or another.
final class RotatingWriter {
    private let path: String
    private var handle: FileHandle
    private var next = 0
    private var archives = 0
    private var generator: SplitMix64

    init(path: String, seed: UInt64) throws {
        self.path = path
        generator = SplitMix64(seed: seed)
        handle = try Self.open(path)
    }

    /// How many lines were written.
    var count: Int { next }

    /// A line that nothing else begins or ends like.
    static func line(_ number: Int) -> String { #"{"n":\#(number),"text":"\#(String(repeating: "x", count: number % 97))"}"# }

    static func number(_ bytes: [UInt8]) -> Int? {
        let digits = bytes.dropFirst(5).prefix { $0 != UInt8(ascii: ",") }
        let number = Int(String(decoding: digits, as: UTF8.self))
        return number.flatMap { Array(line($0).utf8) == bytes ? $0 : nil }
    }

    /// Writes some lines, now and then one in two pieces.
    func write(_ lines: Int, to handle: FileHandle? = nil) throws {
        for _ in 0..<lines {
            let bytes = Data((Self.line(next) + "\n").utf8)
            next += 1
            let cut = Int.random(in: 0..<4, using: &generator) == 0 ? Int.random(in: 1..<bytes.count, using: &generator) : bytes.count
            try (handle ?? self.handle).write(contentsOf: bytes[..<cut])
            if cut < bytes.count { try (handle ?? self.handle).write(contentsOf: bytes[cut...]) }
        }
    }

    func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// The file gets another name and a new one is made; some lines still go to the old one.
    func renameAndCreate() throws {
        try rename(to: archive())
        try replace(lateLines: random(0...3))
    }

    /// The same with names that all move on by one: `log.1` becomes `log.2`.
    func renameInChain() throws {
        for number in stride(from: archives, to: 0, by: -1) {
            try FileManager.default.moveItem(atPath: "\(path).\(number)", toPath: "\(path).\(number + 1)")
        }
        archives += 1
        try rename(to: "\(path).1")
        try replace(lateLines: random(0...3))
    }

    /// The file is copied and then emptied.
    func copyAndTruncate() throws {
        try FileManager.default.copyItem(atPath: path, toPath: archive())
        try handle.truncate(atOffset: 0)
    }

    /// The file is emptied and at once holds more than before.
    func truncateAndRewriteLarger(than bytes: UInt64) throws {
        try handle.truncate(atOffset: 0)
        while try handle.offset() <= bytes { try write(1) }
    }

    var size: UInt64 { (try? handle.seekToEnd()) ?? 0 }

    func delete() throws {
        try FileManager.default.removeItem(atPath: path)
        try handle.close()
    }

    func create() throws { handle = try Self.open(path) }

    private func replace(lateLines: Int) throws {
        let old = handle
        try write(lateLines, to: old)
        handle = try Self.open(path)
        try write(random(0...2))
        try write(lateLines, to: old)
        try old.close()
    }

    private func archive() -> String {
        archives += 1
        return "\(path).\(archives)"
    }

    private func rename(to new: String) throws {
        try FileManager.default.moveItem(atPath: path, toPath: new)
    }

    private static func open(_ path: String) throws -> FileHandle {
        let descriptor = unsafe Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
