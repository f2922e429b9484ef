import Foundation
import SyncAuditCommands
import Testing

@Suite struct DescriptorWriterTests {
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(unsafe Foundation.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func aWriterThatNobodyReadsEndsQuietly() throws {
        CommandContext.ignoreBrokenPipes()
        let (read, write) = try Self.pipe()
        close(read)
        defer { close(write) }
        let writer = DescriptorWriter(descriptor: write, name: "standard output")
        try writer.write("kept until the end")
        #expect(throws: CommandError.outputClosed) { try writer.flush() }
        #expect(throws: CommandError.outputClosed) { try writer.write("more") }
        #expect(CommandError.outputClosed.exitCode == .success)
        #expect(CommandError.outputClosed.sentence == nil)
    }

    @Test func aFullDeviceIsToldAtTheLastFlush() throws {
        let full = unsafe open("/dev/full", O_WRONLY)
        guard full >= 0 else { return }
        defer { close(full) }
        let writer = DescriptorWriter(descriptor: full, name: "standard output")
        try writer.write("kept until the end")
        let expected = CommandError(.inputOutput, "writing standard output failed: No space left on device")
        #expect(throws: expected) { try writer.flush() }
        // The hole in the output is not papered over by what comes later.
        #expect(throws: expected) { try writer.flush() }
    }

    @Test func bytesAreKeptUntilThereAreEnough() throws {
        let (read, write) = try Self.pipe()
        defer { close(read) }
        _ = fcntl(read, F_SETFL, O_NONBLOCK)
        let writer = DescriptorWriter(descriptor: write, name: "pipe", capacity: 4)
        var buffer = [UInt8](repeating: 0, count: 16)
        try writer.write("abc")
        #expect(unsafe Foundation.read(read, &buffer, 16) == -1)
        try writer.write("de")
        #expect(unsafe Foundation.read(read, &buffer, 16) == 5)
        try writer.flush()
        close(write)
        #expect(unsafe Foundation.read(read, &buffer, 16) == 0)
    }

    @Test func moreThanAPipeHoldsArrivesWhole() async throws {
        let (read, write) = try Self.pipe()
        let content = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let reader = Background {
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1000)
            while true {
                let count = unsafe Foundation.read(read, &buffer, buffer.count)
                if count <= 0 { return all }
                all += buffer[..<count]
            }
        }
        let writer = DescriptorWriter(descriptor: write, name: "pipe")
        try writer.write(content)
        try writer.flush()
        close(write)
        #expect(await reader.value == content)
        close(read)
    }

    @Test func aSlowReaderOfANonBlockingPipeGetsEverything() async throws {
        let (read, write) = try Self.pipe()
        try #require(fcntl(write, F_SETFL, O_NONBLOCK) == 0)
        let size = 300_000
        // A thread of its own: one that blocks must not come from the few that tasks share.
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: size)
            var count = 0
            while count < size {
                usleep(2000)
                let more = unsafe Foundation.read(read, &buffer, 65_536)
                if more <= 0 { break }
                count += more
            }
            close(read)
        }
        let writer = DescriptorWriter(descriptor: write, name: "pipe")
        try writer.write([UInt8](repeating: 1, count: size))
        try writer.flush()
        close(write)
    }
}
