import Foundation
import Testing

@testable import AuditLog

@Suite struct StreamedLinesTests {
    @Test func linesOfAPipe() throws {
        let pipe = Pipe()
        var lines = StreamedLines(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe", maximumLineLength: 10)
        func read() throws -> [String?]? {
            try lines.read()?.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } }
        }
        try pipe.fileHandleForWriting.write(contentsOf: Data("{one\n{tw".utf8))
        #expect(try read() == ["{one"])
        try pipe.fileHandleForWriting.write(contentsOf: Data("o\nmuch longer than ten\nfour".utf8))
        #expect(try read() == ["{two", nil])
        try pipe.fileHandleForWriting.close()
        #expect(try read() == ["four"])
        #expect(try read() == nil)
    }

    /// Words may be what an app prints before Core Data prints: they are held back until that is known, and nothing waits for it.
    @Test func wordsAreHeldBackUntilTheyAreKnown() throws {
        let message = AppleLogConverterTests.begun
        for (rest, expected) in [
            ("{\"v\":1}\n", ["one", "{\"v\":1}"]), ("CoreData: debug: \(message)\nCoreData: x\n", ["", "export", ""]),
        ] {
            let pipe = Pipe()
            var lines = StreamedLines(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
            try pipe.fileHandleForWriting.write(contentsOf: Data("one\n".utf8))
            #expect(try lines.read()?.isEmpty == true)
            try pipe.fileHandleForWriting.write(contentsOf: Data(rest.utf8))
            let found = try #require(try lines.read())
            #expect(found.count == expected.count)
            for (line, word) in zip(found, expected) {
                let line = String(decoding: line.bytes ?? [], as: UTF8.self).lowercased()
                #expect(word.isEmpty ? line.isEmpty : line.contains(word))
            }
        }
    }

    /// Found by fuzzing: the last line kept the zeros before it where it had no line break.
    @Test func aHoleBeforeALineIsNoPartOfIt() throws {
        for end in ["\n", ""] {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data("one\n\0\0two\(end)".utf8))
            try pipe.fileHandleForWriting.close()
            var lines = StreamedLines(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
            var found: [[UInt8]?] = []
            while let batch = try lines.read() { found += batch.map(\.bytes) }
            #expect(found == [Array("one".utf8), Array("two".utf8)])
        }
    }

    @Test func whatIsNotThereIsNoInput() {
        let error = #expect(throws: AuditLogError.self) { _ = try StreamedLines(path: "/nowhere", waits: false).descriptor }
        #expect(error?.code == .noInput)
    }
}
