import SyncSystem

// Everything in this target that reaches for the bytes behind a string, so that the rest need not.

extension String {
    /// Whether two strings hold the same UTF-8 bytes.
    package func hasSameBytes(as other: String) -> Bool {
        #if _pointerBitWidth(_64) && _endian(little)
            let (mine, theirs) = (StringWords(self), StringWords(other))
            if mine == theirs { return true }
            if mine.isShort, theirs.isShort { return false }
        #endif
        return utf8.count == other.utf8.count && compareBytes(with: other) == 0
    }

    /// Whether the UTF-8 bytes of this string sort before those of another.
    package func utf8Precedes(_ other: String) -> Bool {
        #if _pointerBitWidth(_64) && _endian(little)
            let (mine, theirs) = (StringWords(self), StringWords(other))
            if mine.isShort, theirs.isShort { return mine.shortPrecedes(theirs) }
        #endif
        return compareBytes(with: other) < 0
    }

    /// Feeds the UTF-8 bytes into a hasher.
    package func hashBytes(into hasher: inout Hasher) {
        let fast: Void? = unsafe utf8.withContiguousStorageIfAvailable { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if fast == nil { for byte in utf8 { hasher.combine(byte) } }
        // No byte of UTF-8, so that no two sequences of texts run together.
        hasher.combine(0xff as UInt8)
    }

    /// Calls a body with the UTF-8 bytes.
    package func withBytes(_ body: (Span<UInt8>) -> Void) {
        let fast: Void? = unsafe utf8.withContiguousStorageIfAvailable { unsafe body(Span(_unsafeElements: $0)) }
        if fast != nil { return }
        let bytes = Array(utf8)
        body(bytes.span)
    }

    /// Less than, equal to or greater than zero as the bytes sort before, with or after those of another.
    package func compareBytes(with other: String) -> Int {
        let fast = unsafe utf8.withContiguousStorageIfAvailable { mine in
            unsafe other.utf8.withContiguousStorageIfAvailable { theirs in unsafe Self.compare(mine, theirs) }
        }
        // A string bridged from Objective-C may not lie in memory as UTF-8.
        return (fast ?? nil) ?? (utf8.lexicographicallyPrecedes(other.utf8) ? -1 : other.utf8.lexicographicallyPrecedes(utf8) ? 1 : 0)
    }

    private static func compare(_ mine: UnsafeBufferPointer<UInt8>, _ theirs: UnsafeBufferPointer<UInt8>) -> Int {
        let shared = Swift.min(mine.count, theirs.count)
        if shared > 0, let left = mine.baseAddress, let right = theirs.baseAddress {
            let order = unsafe memcmp(left, right, shared)
            if order != 0 { return Int(order) }
        }
        return mine.count - theirs.count
    }
}

/// Two words that stand for a text: its bytes and their count up to 15 bytes, a hash of them and their count beyond.
private struct TextTag {
    let low: UInt64
    let high: UInt64

    /// Up to so many bytes equal tags are equal texts.
    static var maximumExactLength: Int { 15 }

    @inline(__always) init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The tag of a text of these bytes.
    private init(_ bytes: Span<UInt8>, _ key: HashKey) {
        let count = bytes.count
        if count < 8 {
            low = bytes.word(at: 0, count: count)
            high = UInt64(count) << 56
        } else if count <= Self.maximumExactLength {
            low = bytes.word(at: 0)
            high = bytes.word(at: 8, count: count - 8) | UInt64(count) << 56
        } else {
            var hash = key.start(count: count)
            var index = 0
            // The last eight bytes overlap those before.
            while index + 8 < count {
                hash = key.mix(bytes.word(at: index), into: hash)
                index += 8
            }
            low = key.mix(bytes.word(at: count - 8), into: hash)
            high = UInt64(count) | 1 << 63
        }
    }

    /// The tag of a text.
    @inline(__always) init(_ text: String, _ key: HashKey) {
        #if _pointerBitWidth(_64) && _endian(little)
            if let tag = StringWords(text).tag {
                self = tag
                return
            }
        #endif
        self = Self.ofLongText(text, key)
    }

    @inline(never) private static func ofLongText(_ text: String, _ key: HashKey) -> TextTag {
        let fast = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe TextTag(Span(_unsafeElements: $0), key) }
        if let fast { return fast }
        let bytes = Array(text.utf8)
        return TextTag(bytes.span, key)
    }

    /// Mixes the tag into a hash.
    @inline(__always) func mixed(into hash: UInt64, _ key: HashKey) -> UInt64 {
        key.mix(high, into: key.mix(low, into: hash))
    }
}

extension ExactText {
    /// A hash of the text and of what has been hashed before it, keyed; all 64 bits are usable.
    @inline(__always) fileprivate func mixedHash(_ key: HashKey, after hash: UInt64?) -> UInt64 {
        TextTag(rawValue, key).mixed(into: hash ?? key.start(count: 0), key)
    }
}

extension DeviceID {
    /// A hash of the name and of what has been hashed before it, keyed; all 64 bits are usable.
    package func quickHash(_ key: HashKey, after hash: UInt64? = nil) -> UInt64 { mixedHash(key, after: hash) }
}

extension FieldName {
    /// A hash of the name and of what has been hashed before it, keyed; all 64 bits are usable.
    package func quickHash(_ key: HashKey, after hash: UInt64? = nil) -> UInt64 { mixedHash(key, after: hash) }
}

extension RecordType {
    /// A hash of the name and of what has been hashed before it, keyed; all 64 bits are usable.
    package func quickHash(_ key: HashKey, after hash: UInt64? = nil) -> UInt64 { mixedHash(key, after: hash) }
}

extension RecordKey {
    /// A keyed 64-bit hash of the record's name; all bits are usable.
    @inline(__always) package func quickHash(_ key: HashKey) -> UInt64 {
        id.mixedHash(key, after: type.mixedHash(key, after: nil))
    }
}

#if _pointerBitWidth(_64) && _endian(little)
    /// The two words that a string consists of.
    ///
    /// Equal words are the same text. Up to 15 bytes of UTF-8 lie in the words themselves, padded with zeros, and the last byte holds their count
    /// (the ABI of Swift 5 on 64-bit systems; `ShortTextTests` pins it), so that most identifiers are compared without a look at memory.
    private struct StringWords: Equatable {
        private let low: UInt64
        private let high: UInt64

        /// The words of the text that an element begins with, where it lies: a copy of the text would count a reference.
        @unsafe @inline(__always) init<Element>(beginningOf elements: Span<Element>, _ index: Int) {
            precondition(index >= 0 && index < elements.count, "an element is there")
            unsafe (low, high) = elements.withUnsafeBufferPointer { elements in
                unsafe elements.baseAddress.map { unsafe UnsafeRawPointer($0 + index).load(as: (UInt64, UInt64).self) } ?? (0, 0)
            }
        }

        /// The words of the text that lies at a place.
        @unsafe @inline(__always) init(at place: UnsafeRawPointer) {
            unsafe (low, high) = place.load(as: (UInt64, UInt64).self)
        }

        @inline(__always) init(_ text: String) {
            unsafe (low, high) = unsafeBitCast(text, to: (UInt64, UInt64).self)
        }

        /// Whether the words hold the text itself.
        @inline(__always) var isShort: Bool { high & 0x2000_0000_0000_0000 != 0 }

        /// The text and the count of its bytes, where the words hold them.
        @inline(__always) var tag: TextTag? {
            isShort ? TextTag(low: low, high: high & 0x0fff_ffff_ffff_ffff) : nil
        }

        /// Less than, equal to or greater than zero as the text sorts before, with or after another; nil where the words do not tell.
        @inline(__always) func order(to other: StringWords) -> Int? {
            if self == other { return 0 }
            return isShort && other.isShort ? (shortPrecedes(other) ? -1 : 1) : nil
        }

        /// The order of two short texts by their bytes; of two that differ by zeros at the end alone, the one with fewer.
        @inline(__always) func shortPrecedes(_ other: StringWords) -> Bool {
            if low != other.low { return low.byteSwapped < other.low.byteSwapped }
            // The byte that holds the count comes last, its upper half masked out: there stands whether the text is ASCII.
            return high.byteSwapped & ~0xf0 < other.high.byteSwapped & ~0xf0
        }
    }
#endif

extension String {
    /// The text of one to fifteen bytes with which two words begin, put into the words that hold it; nil where it is not ASCII or not so short.
    package init?(shortASCII low: UInt64, _ high: UInt64, count: Int) {
        #if _pointerBitWidth(_64) && _endian(little)
            guard count > 0, count <= TextTag.maximumExactLength else { return nil }
            let first = low & ~(UInt64.max << UInt64(8 * count))
            let rest = high & ~(UInt64.max << UInt64(8 * Swift.max(0, count - 8)))
            guard (first | rest) & 0x8080_8080_8080_8080 == 0 else { return nil }
            unsafe self = unsafeBitCast((first, rest | (0xe0 | UInt64(count)) << 56), to: String.self)
        #else
            return nil
        #endif
    }
}

extension Span<VersionVector.Entry> {
    /// The number of a device, 0 where it is not named.
    ///
    /// - Complexity: O(log *n*).
    @inline(__always) func sequence(of device: DeviceID) -> UInt64 {
        #if _pointerBitWidth(_64) && _endian(little)
            let words = StringWords(device.rawValue)
            if count <= 24, words.isShort, let index = unsafe index(of: words) { return index < count ? self[index].sequence : 0 }
        #endif
        let index = position(of: device)
        return index < count && compareDevice(at: index, with: device) == 0 ? self[index].sequence : 0
    }

    #if _pointerBitWidth(_64) && _endian(little)
        /// The index of the entry of a device with a short name, the end where there is none; nil where the words do not tell.
        ///
        /// A few entries are sooner looked at one after the other than halved: no branch depends on how two texts compare.
        @unsafe @inline(__always) private func index(of words: StringWords) -> Int? {
            unsafe withUnsafeBufferPointer { entries in
                guard let base = entries.baseAddress else { return 0 }
                var place = unsafe UnsafeRawPointer(base)
                var areShort = true
                for index in 0..<entries.count {
                    let mine = unsafe StringWords(at: place)
                    if mine == words { return index }
                    areShort = mine.isShort && areShort
                    unsafe place += MemoryLayout<VersionVector.Entry>.stride
                }
                return areShort ? entries.count : nil
            }
        }
    #endif

    /// The index of a device's entry, or where it would stand.
    func position(of device: DeviceID) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if compareDevice(at: middle, with: device) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether each entry of another vector has one of its device here with a number no lower, and the other way round.
    ///
    /// - Complexity: O(*n* + *m*).
    func comparison(with other: Span<VersionVector.Entry>) -> (covers: Bool, isCovered: Bool) {
        unsafe withUnsafeBufferPointer { mine in
            unsafe other.withUnsafeBufferPointer { theirs in
                let (end, otherEnd) = (count, other.count)
                var (covers, isCovered) = (true, true)
                var (left, right) = (0, 0)
                while left < end, right < otherEnd {
                    // Both mostly name the same devices.
                    if unsafe Self.isSameDevice(mine, left, theirs, right) {
                        let (known, seen) = unsafe (mine[left].sequence, theirs[right].sequence)
                        if known < seen { covers = false }
                        if seen < known { isCovered = false }
                        left += 1
                        right += 1
                    } else if unsafe mine[left].device < theirs[right].device {
                        isCovered = false
                        left += 1
                    } else {
                        covers = false
                        right += 1
                    }
                    if !covers, !isCovered { break }
                }
                return (covers && right == otherEnd, isCovered && left == end)
            }
        }
    }

    /// Whether each entry has one of its device in another vector with a number no lower.
    ///
    /// - Complexity: O(*n* + *m*); O(1) where both are one vector, kept once.
    func isCovered(by other: Span<VersionVector.Entry>) -> Bool {
        unsafe withUnsafeBufferPointer { mine in
            unsafe other.withUnsafeBufferPointer { theirs in
                guard mine.count <= theirs.count else { return false }
                if unsafe mine.baseAddress == theirs.baseAddress { return true }
                // So many more the other names; then one that it does not name is missing.
                var surplus = theirs.count - mine.count
                var (left, right) = (0, 0)
                while left < mine.count {
                    if unsafe Self.isSameDevice(mine, left, theirs, right) {
                        if unsafe theirs[right].sequence < mine[left].sequence { return false }
                        left += 1
                    } else {
                        surplus -= 1
                        if surplus < 0 { return false }
                    }
                    right += 1
                }
                return true
            }
        }
    }

    @unsafe @inline(__always) private static func isSameDevice(
        _ mine: UnsafeBufferPointer<VersionVector.Entry>, _ index: Int, _ theirs: UnsafeBufferPointer<VersionVector.Entry>, _ place: Int
    ) -> Bool {
        #if _pointerBitWidth(_64) && _endian(little)
            if let one = mine.baseAddress, let other = theirs.baseAddress {
                let left = unsafe StringWords(at: UnsafeRawPointer(one + index))
                let right = unsafe StringWords(at: UnsafeRawPointer(other + place))
                if left == right { return true }
                if left.isShort, right.isShort { return false }
            }
        #endif
        return unsafe mine[index].device == theirs[place].device
    }

    /// The entries of both vectors, of each device that with the higher number.
    ///
    /// - Complexity: O(*n* + *m*).
    func union(with other: Span<VersionVector.Entry>) -> [VersionVector.Entry] {
        var union: [VersionVector.Entry] = []
        union.reserveCapacity(Swift.max(count, other.count))
        var (left, right) = (0, 0)
        while left < count, right < other.count {
            let order = compareDevice(at: left, with: other, at: right)
            if order < 0 {
                union.append(self[left])
            } else if order > 0 {
                union.append(other[right])
            } else if self[left].sequence >= other[right].sequence {
                union.append(self[left])
            } else {
                union.append(other[right])
            }
            if order <= 0 { left += 1 }
            if order >= 0 { right += 1 }
        }
        for index in left..<count { union.append(self[index]) }
        for index in right..<other.count { union.append(other[index]) }
        return union
    }

    /// Less than, equal to or greater than zero as an entry's device sorts before, with or after another.
    @inline(__always) func compareDevice(at index: Int, with device: DeviceID) -> Int {
        #if _pointerBitWidth(_64) && _endian(little)
            if let order = unsafe StringWords(beginningOf: self, index).order(to: StringWords(device.rawValue)) { return order }
        #endif
        return compareLongDevice(at: index, with: device)
    }

    /// The same for an entry of another vector.
    @inline(__always) func compareDevice(at index: Int, with other: Span<VersionVector.Entry>, at otherIndex: Int) -> Int {
        #if _pointerBitWidth(_64) && _endian(little)
            let theirs = unsafe StringWords(beginningOf: other, otherIndex)
            if let order = unsafe StringWords(beginningOf: self, index).order(to: theirs) { return order }
        #endif
        return compareLongDevice(at: index, with: other[otherIndex].device)
    }

    @inline(never) private func compareLongDevice(at index: Int, with device: DeviceID) -> Int {
        self[index].device.rawValue.compareBytes(with: device.rawValue)
    }
}

extension [FieldName] {
    /// Where a name stands among names in order, or where it would.
    ///
    /// - Complexity: O(log *n*).
    package func position(of name: FieldName) -> Int {
        let names = span
        var (low, high) = (0, names.count)
        while low < high {
            let middle = low + (high - low) / 2
            if names.compareName(at: middle, with: name) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where a name of another list stands among names in order, nil where it is not there.
    ///
    /// - Complexity: O(*n*) for a few, O(log *n*) for many.
    package func find(_ other: [FieldName], at otherIndex: Int) -> Int? {
        let (names, others) = (span, other.span)
        #if _pointerBitWidth(_64) && _endian(little)
            // A few are sooner looked at one after the other than halved: no branch depends on how two texts compare.
            if count <= 24 {
                let words = unsafe StringWords(beginningOf: others, otherIndex)
                for index in names.indices {
                    let mine = unsafe StringWords(beginningOf: names, index)
                    if mine == words { return index }
                    if mine.isShort && words.isShort { continue }
                    if names[index].rawValue.hasSameBytes(as: others[otherIndex].rawValue) { return index }
                }
                return nil
            }
        #endif
        let index = position(of: others[otherIndex])
        return index < count && names.compareName(at: index, with: others[otherIndex]) == 0 ? index : nil
    }

    /// Whether both are one list, kept once.
    package func isIdentical(to other: [FieldName]) -> Bool { address == other.address && count == other.count }

    /// Where the list is kept: as long as it is, nothing else is there.
    package var address: UInt { unsafe withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }

    /// Whether both lists hold the same names in the same order.
    package func isSame(as other: [FieldName]) -> Bool {
        guard count == other.count else { return false }
        let (mine, theirs) = (span, other.span)
        for index in mine.indices {
            #if _pointerBitWidth(_64) && _endian(little)
                if unsafe StringWords(beginningOf: mine, index) == StringWords(beginningOf: theirs, index) { continue }
            #endif
            if mine[index] != theirs[index] { return false }
        }
        return true
    }
}

extension Span<FieldName> {
    @inline(__always) fileprivate func compareName(at index: Int, with name: FieldName) -> Int {
        #if _pointerBitWidth(_64) && _endian(little)
            if let order = unsafe StringWords(beginningOf: self, index).order(to: StringWords(name.rawValue)) { return order }
        #endif
        return compareLongName(at: index, with: name)
    }

    @inline(never) private func compareLongName(at index: Int, with name: FieldName) -> Int {
        self[index].rawValue.compareBytes(with: name.rawValue)
    }
}

extension Span<UInt8> {
    /// Eight bytes from an index on, the first one lowest.
    @inlinable @inline(__always) package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count &- 8, "eight bytes are there")
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// The first so many of the eight bytes from an index on, zeros in place of the others.
    fileprivate func word(at index: Int, count length: Int) -> UInt64 {
        precondition(length >= 0 && length < 8 && index >= 0 && index + length <= count, "so many bytes are there")
        if index + 8 <= count { return word(at: index) & ((1 << UInt64(8 * length)) - 1) }
        var word: UInt64 = 0
        for place in 0..<length { word |= UInt64(self[index + place]) << UInt64(8 * place) }
        return word
    }

    /// Whether a range holds the same bytes as one of another span.
    package func holdsSame(in range: Range<Int>, as other: Span<UInt8>, in otherRange: Range<Int>) -> Bool {
        guard range.count == otherRange.count else { return false }
        let (mine, theirs) = (extracting(range), other.extracting(otherRange))
        return unsafe mine.withUnsafeBufferPointer { mine in
            unsafe theirs.withUnsafeBufferPointer { theirs in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else { return true }
                return unsafe memcmp(left, right, mine.count) == 0
            }
        }
    }

    /// Appends the bytes of a range to an array.
    package func append(_ range: Range<Int>, to array: inout [UInt8]) {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe array.append(contentsOf: $0) }
    }

    /// The bytes as a string, nil where they are not valid UTF-8.
    package var validText: String? {
        unsafe withUnsafeBufferPointer { bytes in
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            // Decoding repairs what is invalid, so that other bytes come out.
            return unsafe bytes.isASCII || text.utf8.elementsEqual(bytes) ? text : nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var isASCII: Bool {
        let bytes = UnsafeRawBufferPointer(self)
        var index = 0
        while index + 8 <= bytes.count {
            if unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            index += 8
        }
        while index < bytes.count {
            if unsafe bytes[index] >= 0x80 { return false }
            index += 1
        }
        return true
    }
}
