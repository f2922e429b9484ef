/// Where some memory begins and ends: debug builds check with it that nothing beside the memory is looked at, release builds check nothing.
struct MemoryBounds: BitwiseCopyable {
    #if DEBUG
        private let start: UInt
        private let end: UInt

        init(_ start: UnsafePointer<UInt8>, count: Int) {
            self.start = UInt(bitPattern: start)
            end = self.start + UInt(count)
        }

        /// Checks that `count` bytes lie within the memory.
        func check(_ pointer: UnsafePointer<UInt8>, _ offset: Int, _ count: Int) {
            let first = Int(bitPattern: pointer) + offset
            precondition(first >= Int(start) && first + count <= Int(end), "the bytes lie within the memory")
        }
    #else
        // Takes no room, so that a cursor stays in one register.
        @inline(__always) init(_ start: UnsafePointer<UInt8>, count: Int) {}

        @inline(__always) func check(_ pointer: UnsafePointer<UInt8>, _ offset: Int, _ count: Int) {}
    #endif
}
