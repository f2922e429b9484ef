extension ArraySlice<UInt8> {
    /// The index behind the first occurrence of a phrase; nil where there is none.
    ///
    /// - Complexity: O(*n*) in the bytes of the slice, for phrases that do not repeat their first byte.
    func end(of phrase: StaticString) -> Int? {
        let length = phrase.utf8CodeUnitCount
        guard length > 0, count >= length else { return nil }
        let phrase = unsafe Array(UnsafeBufferPointer(start: phrase.utf8Start, count: length))
        var start = startIndex
        let last = endIndex - length
        while start <= last {
            guard let found = self[start...last].firstIndex(of: phrase[0]) else { return nil }
            if self[found..<(found + length)].elementsEqual(phrase) { return found + length }
            start = found + 1
        }
        return nil
    }

    /// Whether a phrase occurs.
    func contains(_ phrase: StaticString) -> Bool { end(of: phrase) != nil }

    /// What follows a phrase that the bytes begin with; nil where they do not.
    func dropping(_ phrase: StaticString) -> ArraySlice<UInt8>? {
        let length = phrase.utf8CodeUnitCount
        guard count >= length else { return nil }
        for offset in 0..<length where unsafe self[startIndex + offset] != phrase.utf8Start[offset] { return nil }
        return self[(startIndex + length)...]
    }

    /// The bytes without the spaces and tabs that they begin with.
    var droppingSpaces: ArraySlice<UInt8> { drop { $0 == 0x20 || $0 == 0x09 } }

    /// The number that the decimal digits at the beginning write, and what follows them; nil where there are none, or more than nine.
    var leadingNumber: (value: Int, rest: ArraySlice<UInt8>)? {
        let digits = prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        return (digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }, self[digits.endIndex...])
    }

    /// The bytes up to a byte that they hold, and what follows that; nil where they do not hold it.
    func split(at byte: UInt8) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>)? {
        firstIndex(of: byte).map { (self[..<$0], self[($0 + 1)...]) }
    }

    /// The characters that the bytes encode, with U+FFFD for what encodes none.
    var string: String { String(decoding: self, as: UTF8.self) }
}
