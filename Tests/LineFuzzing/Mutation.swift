import SyncOracle

extension [UInt8] {
    /// Changes something small, of a kind that is likely to matter.
    mutating func mutate(using random: inout SplitMix64, among lines: [[UInt8]]) {
        let place = random.below(count + 1)
        let length = Swift.min(random.below(8), count - place)
        switch random.below(12) {
        case 0: replaceSubrange(place..<place + length, with: [])
        case 1: if place < count { self[place] = UInt8(random.below(256)) }
        case 2: if place < count { self[place] ^= 1 << UInt8(random.below(8)) }
        case 3: insert(contentsOf: Array(Self.snippets[random.below(Self.snippets.count)].utf8), at: place)
        case 4: insert(contentsOf: self[place..<place + length], at: random.below(count + 1))
        case 5: insert(contentsOf: Self.broken[random.below(Self.broken.count)], at: place)
        case 6: if random.percent(30) { removeSubrange(place...) }
        case 7:
            // The tail of another line, from the same character on.
            guard place < count else { return }
            let other = lines[random.below(lines.count)]
            guard let start = other.firstIndex(of: self[place]) else { return }
            replaceSubrange(place..., with: other[start...])
        case 8: swapMembers(using: &random)
        case 9, 10: insertMember(using: &random)
        default:
            // A token where a value or a key stands.
            let token = Array(Self.snippets[random.below(Self.snippets.count)].utf8)
            let stops = stops
            guard stops.count > 1 else { return }
            let index = random.below(stops.count - 1)
            replaceSubrange(stops[index] + 1..<stops[index + 1], with: token)
        }
    }

    private var stops: [Int] { indices.filter { self[$0] == UInt8(ascii: ":") || self[$0] == UInt8(ascii: ",") } }

    /// Inserts a member, most often one that means nothing, where one begins or ends.
    private mutating func insertMember(using random: inout SplitMix64) {
        let member = "\"\(Self.keys[random.below(Self.keys.count)])\":\(Self.values[random.below(Self.values.count)])"
        let places = indices.filter { [UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "}")].contains(self[$0]) }
        guard !places.isEmpty else { return }
        let place = places[random.below(places.count)]
        if self[place] == UInt8(ascii: "{") {
            insert(contentsOf: Array("\(member),".utf8), at: place + 1)
        } else {
            insert(contentsOf: Array(",\(member)".utf8), at: place)
        }
    }

    /// Exchanges what stands between two pairs of commas.
    private mutating func swapMembers(using random: inout SplitMix64) {
        let commas = indices.filter { self[$0] == UInt8(ascii: ",") }
        guard commas.count > 3 else { return }
        let first = random.below(commas.count - 3)
        let second = first + 1 + random.below(commas.count - first - 2)
        let (left, right) = (self[commas[first] + 1..<commas[first + 1]], self[commas[second] + 1..<commas[second + 1]])
        replaceSubrange(commas[first] + 1..<commas[second + 1], with: right + self[commas[first + 1]...commas[second]] + left)
    }

    private static let keys = [
        "x", "y", "", "nn", "devic", "devices", "rev", "parents", "order", "status", "id", "opened", "\\u0078", "\u{e9}",
        "trace_identifier",
    ]

    private static let values = [
        "1", "-2.5", "null", #""""#, "\"t\\n\u{e9}\"", #"[1,["a"],{}]"#, #"{"x":{"x":1},"y":[]}"#, #"{"x":1,"x":1}"#, "01",
        #""\ud800""#, "1e5", "1e999", String(repeating: "[", count: 80) + String(repeating: "]", count: 80),
        String(repeating: "[", count: 256) + String(repeating: "]", count: 256),
    ]

    private static let snippets = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\t", "\r", "null", "true", "false", "tru", "0", "-", "-0", "01", "1.5", "1e5",
        "1E400", "1.",
        "9223372036854775807", "9223372036854775808", "123456789012345678", "1234567890123456789", "18446744073709551616", "4294967295",
        "4294967296",
        "\"\"", "\"put\"", "\"delete\"", "\"write\"", "\"n\":1,", "\"device\":\"b\",", "\"event\":\"write\",", "\"x\":{\"a\":1,\"a\":2},",
        "{\"a\":1,\"b\":2}", "{\"a\":1,\"a\":2}", "{\"\\u0061\":1,\"a\":2}", "[1,2,3]", "[[[]]]", "\\n", "\\u0000", "\\ud800",
        "\\ud83d\\ude00", "\\x",
        "\u{2028}", "\u{0}", "\u{1}", "\u{7f}", "\u{e9}", "e\u{301}", "\u{1f600}", "\"2026-02-30T00:00:00.000Z\"",
        "\"2026-01-01T23:59:60.000Z\"",
        "\"2026-01-01T00:00:00.0001Z\"", String(repeating: "[", count: 253), String(repeating: "[", count: 260),
        String(repeating: "1", count: 310), "1" + String(repeating: "0", count: 400), "1e-9999999999", "0.1e+308", "{\"\":{\"\":{}}}",
        "\r\n",
        "\"causal\"", "\"severity\":\"lossy\",", "\"field\":null,", "\"value\":null,", "\"id\":\"00abcdef01234567\"",
        "\"ts\":\"2026-01-15T14:00:00Z\",",
        "\"winner\":{},", "\"eventMessage\":\"{}\",", "\"MESSAGE\":[123,125],", "\"summary\":1,", "\u{feff}", "\\ud83d", "\\udc00",
    ]

    private static let broken: [[UInt8]] = [
        [0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80], [0xe2, 0x82], [0xef, 0xbb, 0xbf],
    ]
}
