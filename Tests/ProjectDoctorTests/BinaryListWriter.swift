/// A writer of binary property lists for tests: objects as they are given, with a table and a trailer.
struct BinaryListWriter {
    var objects: [[UInt8]]
    var top = 0

    var bytes: [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 255)] }
        bytes += [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [objects.count, top, table] { bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        return bytes
    }

    static func string(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

    /// `{name: "B", list: [7, true, UID 3, 1.5, date, data, "ä€😀"]}`.
    static let example = BinaryListWriter(objects: [
        [0xd2, 1, 2, 3, 4], string("name"), string("list"), string("B"), [0xa8, 5, 6, 7, 8, 9, 10, 11, 12], [0x10, 7], [9], [0x80, 3],
        [0x23, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], [0x33, 0, 0, 0, 0, 0, 0, 0, 0], [0x4f, 0x10, 16] + [UInt8](repeating: 1, count: 16),
        [0x64, 0, 0xe4, 0x20, 0xac, 0xd8, 0x3d, 0xde, 0], [0x13] + [UInt8](repeating: 0xff, count: 8),
    ])
}
