import SeededRandom

/// Puts the keys of an object, and of the objects in it, into an order of chance; the values stay as they are written.
struct KeyShuffler {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// The object with its keys in another order.
    ///
    /// - Parameter line: One JSON object, as the log's writer writes it: valid and without white space.
    mutating func shuffled(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard line.first == UInt8(ascii: "{"), line.count > 2 else { return Array(line) }
        var members: [[UInt8]] = []
        var (start, depth, isText) = (line.startIndex + 1, 0, false)
        var index = start
        while index < line.endIndex {
            switch line[index] {
            case UInt8(ascii: "\\") where isText: index += 1
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText: depth += 1
            case UInt8(ascii: "}") where !isText && depth == 0, UInt8(ascii: ",") where !isText && depth == 0:
                members.append(member(line[start..<index]))
                start = index + 1
            case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText: depth -= 1
            default: break
            }
            index += 1
        }
        members.shuffle(using: &random)
        return [UInt8(ascii: "{")] + members.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    private mutating func member(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var isText = false
        var index = text.startIndex
        while index < text.endIndex, isText || text[index] != UInt8(ascii: ":") {
            if text[index] == UInt8(ascii: "\\") { index += 1 } else if text[index] == UInt8(ascii: "\"") { isText.toggle() }
            index += 1
        }
        return Array(text[...index]) + shuffled(text[(index + 1)...])
    }
}
