import Foundation
import Testing

@testable import AuditLog

@Suite struct StreamedLinesTests {
    @Test func linesOfAPipe() throws {
        let pipe = Pipe()
        var lines = StreamedLines(descriptor: pipe.fileHandleForReading.fileDescriptor, maximumLineLength: 10)
        func read() throws -> [String?]? {
            try lines.read()?.lines.map { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntw".utf8))
        #expect(try read() == ["one"])
        try pipe.fileHandleForWriting.write(contentsOf: Data("o\nmuch longer than ten\nfour".utf8))
        #expect(try read() == ["two", nil])
        try pipe.fileHandleForWriting.close()
        #expect(try read() == ["four"])
        #expect(try read() == nil)
    }

    /// Found by fuzzing: the last line kept the zeros before it where it had no line break.
    @Test func aHoleBeforeALineIsNoPartOfIt() throws {
        for end in ["\n", ""] {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data("one\n\0\0two\(end)".utf8))
            try pipe.fileHandleForWriting.close()
            var lines = StreamedLines(descriptor: pipe.fileHandleForReading.fileDescriptor)
            var found: [[UInt8]?] = []
            while let batch = try lines.read() { found += batch.lines }
            #expect(found == [Array("one".utf8), Array("two".utf8)])
        }
    }

    @Test func whatIsNotThereIsNoInput() {
        let error = #expect(throws: AuditLogError.self) { _ = try StreamedLines(path: "/nowhere", waits: false).descriptor }
        #expect(error?.code == .noInput)
    }
}
