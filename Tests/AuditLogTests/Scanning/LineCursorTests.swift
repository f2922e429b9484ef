import Testing

@testable import AuditLog

@Suite struct LineCursorTests {
    #if DEBUG
        @Test func debugBuildsLookAtNothingBesideTheMemory() async {
            await #expect(processExitsWith: .success) { LineCursorTests.look(at: 8) }
            await #expect(processExitsWith: .failure) { LineCursorTests.look(at: 9) }
            await #expect(processExitsWith: .failure) { LineCursorTests.look(at: -1) }
        }

        /// Looks at eight of sixteen bytes.
        fileprivate static func look(at index: Int) {
            let memory = [UInt8](repeating: 0x0a, count: 16)
            unsafe memory.withUnsafeBufferPointer { buffer in _ = unsafe LineCursor(buffer, at: 0)?.word(index) }
        }
    #endif
}
