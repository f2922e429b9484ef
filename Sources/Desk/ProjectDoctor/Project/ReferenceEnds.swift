/// Where the references `$(…)` and `${…}` of a build setting end, found in one pass.
struct ReferenceEnds {
    /// By the index of the dollar sign, the index of the closing parenthesis or brace.
    private var ends: [Int: Int] = [:]

    init(_ text: [UInt8]) {
        var open: [(start: Int, close: UInt8)] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "$"), index + 1 < text.count,
                text[index + 1] == UInt8(ascii: "(") || text[index + 1] == UInt8(ascii: "{")
            {
                open.append((index, text[index + 1] == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")))
                index += 1
            } else if let last = open.last, byte == last.close {
                ends[last.start] = index
                open.removeLast()
            }
            index += 1
        }
    }

    /// The end of the reference that begins at an index; nil where none does.
    subscript(index: Int) -> Int? { ends[index] }

    /// The name and the modifiers of a reference, separated by colons that are in no reference inside it.
    ///
    /// The last part of a reference with a default goes on to the end.
    func parts(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (start, index) = (text.startIndex, text.startIndex)
        while index < text.endIndex {
            if let end = ends[index] {
                index = end
            } else if text[index] == UInt8(ascii: ":"), !text[start...].starts(with: "default=".utf8) || parts.isEmpty {
                parts.append(text[start..<index])
                start = index + 1
            }
            index += 1
        }
        parts.append(text[start...])
        return parts
    }

    /// A value changed by a modifier; nil for a modifier that is not understood.
    static func apply(_ modifier: ArraySlice<UInt8>, to bytes: [UInt8]) -> [UInt8]? {
        switch String(decoding: modifier, as: UTF8.self) {
        case "lower": Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
        case "upper": Array(String(decoding: bytes, as: UTF8.self).uppercased().utf8)
        case "rfc1034identifier": identifier(bytes, replacement: "-") { $0 == "-" || $0 == "." }
        case "c99extidentifier": identifier(bytes, replacement: "_") { $0 == "_" || $0.value >= 0x80 }
        default: nil
        }
    }

    /// Replaces each scalar that is neither an ASCII letter or digit nor allowed.
    private static func identifier(_ bytes: [UInt8], replacement: Unicode.Scalar, isAllowed: (Unicode.Scalar) -> Bool) -> [UInt8] {
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let isAlphanumeric = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            scalars.append(isAlphanumeric || isAllowed(scalar) ? scalar : replacement)
        }
        if replacement == "_", let first = scalars.first, first.isASCII, first.properties.numericType != nil {
            scalars.replaceSubrange(scalars.startIndex...scalars.startIndex, with: ["_"])
        }
        return Array(String(scalars).utf8)
    }
}
