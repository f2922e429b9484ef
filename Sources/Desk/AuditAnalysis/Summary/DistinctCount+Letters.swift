extension DistinctCount {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// The registers in order, a letter each: there are as many letters as values.
    package var letters: String { String(decoding: registers.map { Self.alphabet[Int($0)] }, as: UTF8.self) }

    /// From what ``letters`` gave; nil for any other text.
    package init?(letters: String) {
        var registers: [UInt8] = []
        registers.reserveCapacity(letters.utf8.count)
        for letter in letters.utf8 {
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): registers.append(letter - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): registers.append(letter - UInt8(ascii: "a") + 26)
            default: return nil
            }
        }
        self.init(registers: registers)
    }
}
