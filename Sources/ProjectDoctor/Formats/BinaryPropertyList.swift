import SyncLines

/// Property lists in Apple's binary form `bplist00`: objects, a table of their offsets, and a trailer of 32 bytes.
///
/// Source: `CFBinaryPList.c` of CoreFoundation. Objects may be shared, so that a short file can describe a list without end: the values
/// that come out are limited in number, and an object inside itself is an error.
struct BinaryPropertyList {
    static let maximumCount = 1_000_000

    private let bytes: [UInt8]
    private let referenceSize: Int
    private let offsets: [Int]
    /// The strings that were read by their offset, so that one that is shared is decoded once.
    private var strings: [Int: String] = [:]
    /// How many bytes of strings may still be decoded: strings that do not overlap are no longer than the file.
    private var remainingBytes: Int

    static func parse(_ bytes: [UInt8]) throws(FormatError) -> PropertyList {
        var (reader, top) = try open(bytes)
        return try reader.value(of: top)
    }

    private static func open(_ bytes: [UInt8]) throws(FormatError) -> (BinaryPropertyList, top: Int) {
        guard bytes.count >= 8 + 32 else { throw FormatError(at: bytes.count, "the binary property list is cut off before its trailer") }
        guard bytes[6] == UInt8(ascii: "0") else { throw FormatError(at: 6, "a version of binary property lists that is not understood") }
        let trailer = bytes.count - 32
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw FormatError(at: trailer + 6, "the trailer of the binary property list is not valid")
        }
        let count = bigEndian(bytes, trailer + 8, 8)
        let top = bigEndian(bytes, trailer + 16, 8)
        let table = bigEndian(bytes, trailer + 24, 8)
        guard count > 0, count <= trailer, top < count, table >= 8, table <= trailer, count <= (trailer - table) / offsetSize else {
            throw FormatError(at: trailer + 8, "the table of offsets is not inside the file")
        }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            let offset = bigEndian(bytes, table + index * offsetSize, offsetSize)
            guard offset >= 8, offset < table else {
                throw FormatError(at: table + index * offsetSize, "the offset of object \(index) is not among the objects")
            }
            offsets.append(offset)
        }
        return (BinaryPropertyList(bytes: bytes, referenceSize: referenceSize, offsets: offsets), top)
    }

    private init(bytes: [UInt8], referenceSize: Int, offsets: [Int]) {
        (self.bytes, self.referenceSize, self.offsets) = (bytes, referenceSize, offsets)
        remainingBytes = bytes.count
    }

    /// A list whose elements are being read.
    private struct Frame {
        let object: Int
        let count: Int
        let isDictionary: Bool
        /// The byte at which the references begin: those of keys, then those of values.
        let start: Int
        var next = 0
    }

    private mutating func value(of top: Int) throws(FormatError) -> PropertyList {
        var builder = PropertyListBuilder(maximumCount: Self.maximumCount)
        var frames: [Frame] = []
        var isOpen = [Bool](repeating: false, count: offsets.count)
        var object: Int? = top
        while true {
            if let current = object {
                object = nil
                guard let frame = try begin(current, &builder) else { continue }
                guard !isOpen[current] else { throw FormatError(at: offsets[current], "object \(current) is inside itself") }
                isOpen[current] = true
                frames.append(frame)
            } else if var frame = frames.popLast() {
                guard frame.next < frame.count else {
                    isOpen[frame.object] = false
                    try builder.close(at: offsets[frame.object])
                    continue
                }
                if frame.isDictionary {
                    let key = try reference(at: frame.start + frame.next * referenceSize)
                    builder.key(try string(of: key), at: offsets[key])
                }
                let index = frame.isDictionary ? frame.count + frame.next : frame.next
                object = try reference(at: frame.start + index * referenceSize)
                frame.next += 1
                frames.append(frame)
            } else {
                break
            }
        }
        guard let result = builder.result else { throw FormatError(at: offsets[top], "the property list holds no value") }
        return result
    }

    /// Appends a value without elements, or opens a list and returns its frame.
    private mutating func begin(_ object: Int, _ builder: inout PropertyListBuilder) throws(FormatError) -> Frame? {
        let offset = offsets[object]
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
        switch (kind, low) {
        case (0, 8), (0, 9): try builder.append(.bool(low == 9), at: offset)
        case (1, 0...4): try builder.append(.number(integer(offset + 1, 1 << low, at: offset)), at: offset)
        case (2, 2), (2, 3): try builder.append(.number(real(offset + 1, 1 << low, at: offset)), at: offset)
        case (3, 3): try builder.append(.date, at: offset)
        case (4, _): try builder.append(.data(count: content(offset, width: 1).count), at: offset)
        case (5, _), (6, _), (7, _): try builder.append(.string(string(of: object)), at: offset)
        case (8, _):
            try check(offset + 1, low + 1, at: offset)
            guard low < 8 else { throw FormatError(at: offset, "a UID of more than eight bytes") }
            try builder.append(.number(String(Self.bigEndian64(bytes, offset + 1, low + 1))), at: offset)
        case (0xa, _), (0xb, _), (0xc, _), (0xd, _):
            let references = try content(offset, width: referenceSize * (kind == 0xd ? 2 : 1))
            try builder.open(isDictionary: kind == 0xd, at: offset)
            return Frame(object: object, count: references.count, isDictionary: kind == 0xd, start: references.start)
        default: throw FormatError(at: offset, "an object of the unknown kind 0x\(String(bytes[offset], radix: 16))")
        }
        return nil
    }

    private func reference(at offset: Int) throws(FormatError) -> Int {
        let object = Self.bigEndian(bytes, offset, referenceSize)
        guard object < offsets.count else { throw FormatError(at: offset, "a reference to an object that is not in the table") }
        return object
    }

    private mutating func string(of object: Int) throws(FormatError) -> String {
        let offset = offsets[object]
        if let known = strings[offset] { return known }
        let kind = bytes[offset] >> 4
        let text: String
        switch kind {
        case 5, 7:
            let (start, count) = try content(offset, width: 1)
            remainingBytes -= count
            guard remainingBytes >= 0 else { throw FormatError(at: offset, "strings that overlap") }
            text = String(decoding: bytes[start..<start + count], as: UTF8.self)
        case 6:
            let (start, count) = try content(offset, width: 2)
            remainingBytes -= 2 * count
            guard remainingBytes >= 0 else { throw FormatError(at: offset, "strings that overlap") }
            let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
            text = String(decoding: units, as: UTF16.self)
        default: throw FormatError(at: offset, "a key that is no string")
        }
        strings[offset] = text
        return text
    }

    /// Where the content of an object begins and of how many elements it is.
    private func content(_ offset: Int, width: Int) throws(FormatError) -> (start: Int, count: Int) {
        var (start, count) = (offset + 1, Int(bytes[offset] & 15))
        if count == 15 {
            try check(start, 1, at: offset)
            let (kind, power) = (bytes[start] >> 4, bytes[start] & 15)
            guard kind == 1, power <= 3 else { throw FormatError(at: start, "a count that is no integer") }
            try check(start + 1, 1 << Int(power), at: offset)
            count = Self.bigEndian(bytes, start + 1, 1 << Int(power))
            start += 1 + 1 << Int(power)
        }
        guard count <= bytes.count / width else { throw FormatError(at: offset, "an object that goes on behind the end of the file") }
        try check(start, count * width, at: offset)
        return (start, count)
    }

    private func check(_ start: Int, _ count: Int, at offset: Int) throws(FormatError) {
        guard start + count <= bytes.count - 32 else { throw FormatError(at: offset, "an object that goes on behind the end of the file") }
    }

    private func integer(_ start: Int, _ count: Int, at offset: Int) throws(FormatError) -> String {
        try check(start, count, at: offset)
        switch count {
        case 8: return String(Int64(bitPattern: Self.bigEndian64(bytes, start, 8)))
        case 16:
            let (high, low) = (Self.bigEndian64(bytes, start, 8), Self.bigEndian64(bytes, start + 8, 8))
            guard high == 0 else { throw FormatError(at: offset, "an integer of more than 64 bits") }
            return String(low)
        default: return String(Self.bigEndian64(bytes, start, count))
        }
    }

    private func real(_ start: Int, _ count: Int, at offset: Int) throws(FormatError) -> String {
        try check(start, count, at: offset)
        let bits = Self.bigEndian64(bytes, start, count)
        return count == 4 ? Float(bitPattern: UInt32(truncatingIfNeeded: bits)).description : Double(bitPattern: bits).description
    }

    /// A number of up to eight bytes; `Int.max` where it is larger.
    private static func bigEndian(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        Int(clamping: bigEndian64(bytes, start, count))
    }

    private static func bigEndian64(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
