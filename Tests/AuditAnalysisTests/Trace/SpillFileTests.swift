import Foundation
import SyncBytes
import SyncModel
import SyncSystem
import Testing

@testable import AuditAnalysis

/// What is read of a temporary file is what was written, or an error.
@Suite struct SpillFileTests {
    /// A file of a few blocks, its entries, and a descriptor of it.
    private func makeFile() throws -> (file: SpillFile, entries: [UInt64], descriptor: Int32) {
        let opened = Locked<Int32>(-1)
        let space = SpillSpace(
            limit: 0,
            makeFile: {
                var template = Array((FileManager.default.temporaryDirectory.path + "/spill-XXXXXX").utf8CString)
                let descriptor = unsafe mkstemp(&template)
                unsafe unlink(template)
                opened.withLock { $0 = dup(descriptor) }
                return descriptor
            }, failure: { $0 })
        let file = try SpillFile(space)
        let entries = (0..<30_000).map { UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }
        for entry in entries { try file.append { $0.number(entry) } }
        return (file, entries, opened.withLock { $0 })
    }

    private func read(_ file: SpillFile, from start: Int64 = 0, to end: Int64? = nil) throws -> [UInt64] {
        var reader = try file.entries(from: start, to: end)
        var found: [UInt64] = []
        while let entry = try reader.next({ bytes throws(CodingFailure) in try bytes.number() }) { found.append(entry) }
        return found
    }

    @Test func entriesComeBackInOrderAndMoreThanOnce() throws {
        let (file, entries, descriptor) = try makeFile()
        defer { close(descriptor) }
        #expect(try read(file) == entries)
        let middle = try file.endBlock()
        try file.append { $0.number(7) }
        #expect(try read(file) == entries + [7])
        #expect(try read(file, from: middle) == [7])
        #expect(try read(file, to: middle) == entries)
    }

    /// In heads and entries, of the first block and of later ones.
    @Test(arguments: [0, 7, 8, 15, 16, 17, 20_000, 32_783, 32_800, 99_000]) func aByteThatChangedIsAnError(offset: Int) throws {
        let (file, _, descriptor) = try makeFile()
        defer { close(descriptor) }
        #expect(try file.endBlock() > 100_000)
        for bit in 0..<8 {
            var byte: UInt8 = 0
            try #require(unsafe pread(descriptor, &byte, 1, off_t(offset)) == 1)
            var changed = byte ^ 1 << UInt8(bit)
            try #require(unsafe pwrite(descriptor, &changed, 1, off_t(offset)) == 1)
            #expect(throws: Errno(number: EIO)) { try read(file) }
            try #require(unsafe pwrite(descriptor, &byte, 1, off_t(offset)) == 1)
        }
        #expect(try read(file).count == 30_000)
    }

    @Test(arguments: [0, 8, 16, 20_000, 99_000]) func aFileThatWasCutIsAnError(size: Int) throws {
        let (file, _, descriptor) = try makeFile()
        defer { close(descriptor) }
        _ = try file.endBlock()
        ftruncate(descriptor, off_t(size))
        #expect(throws: Errno(number: EIO)) { try read(file) }
    }

    @Test func anEntryThatIsReadAsSomethingElseIsAnError() throws {
        let (file, _, descriptor) = try makeFile()
        defer { close(descriptor) }
        var reader = try file.entries()
        #expect(throws: Errno(number: EIO)) {
            while try reader.next({ bytes throws(CodingFailure) in try bytes.text() }) != nil {}
        }
    }
}
