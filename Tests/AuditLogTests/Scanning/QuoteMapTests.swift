import AuditLog
import SyncOracle
import Testing

/// The map says what a slow twin finds byte by byte.
@Suite struct QuoteMapTests {
    /// A line that begins with a key behind its quote, and what is to stand behind its line break.
    private struct Sample {
        let line: [UInt8]
        let rest: [UInt8]

        /// The quotes that no backslash stands before, from the first byte of the key on.
        var quotes: [Int] {
            var (quotes, index) = ([Int](), 0)
            while index < line.count {
                if line[index] == UInt8(ascii: "\"") { quotes.append(index) }
                index += line[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            return quotes
        }

        var isPlain: Bool { line.allSatisfy { 0x20..<0x80 ~= $0 && $0 != UInt8(ascii: "\\") } }

        func isSeparated(_ next: Int) -> Bool {
            let bytes = Array((Array("{\"".utf8) + line)[next - 2..<next + 2])
            return bytes[2...] == [UInt8(ascii: ","), UInt8(ascii: "\"")] && bytes[1] != UInt8(ascii: "}") && bytes[1] != UInt8(ascii: "]")
        }

        /// Whether a brace stands behind a text, or behind what is none, before a comma and the next key.
        func isEnd(_ next: Int, isText: Bool) -> Bool {
            if isText { return next - 2 < line.count && line[next - 2] == UInt8(ascii: "}") }
            return next - 3 >= 0 && line[next - 3..<next - 1] == [UInt8(ascii: "}"), UInt8(ascii: ",")]
        }

        /// Where a number that ends with the line does, before one brace or two.
        func lastEnd(behind quote: Int) -> Int? {
            guard line.count - 1 > quote, line.last == UInt8(ascii: "}") else { return nil }
            return line.count - (line[line.count - 2] == UInt8(ascii: "}") ? 2 : 1)
        }
    }

    private static func check(_ sample: Sample, _ map: inout QuoteMap, isMapped: Bool = true) {
        let opening = Array("{\"".utf8)
        // As little behind the line break as there may be.
        let padding = (0..<LineCursor.padding).map { sample.rest.isEmpty ? 0 : sample.rest[$0 % sample.rest.count] }
        let memory = opening + sample.line + [0x0a] + padding
        unsafe memory.withUnsafeBufferPointer { buffer in
            if let start = unsafe LineCursor(buffer, at: opening.count) { check(sample, &map, at: start, isMapped: isMapped) }
        }
    }

    private static func check(_ sample: Sample, _ map: inout QuoteMap, at start: LineCursor, isMapped: Bool) {
        let text = String(decoding: sample.line, as: UTF8.self)
        map.clear()
        map.read(start)
        if isMapped { #expect(map.isPlain == sample.isPlain, "\(text)") }
        let quotes = sample.quotes
        var first = 0
        for place in sample.line.indices {
            while first < quotes.count, quotes[first] < place { first += 1 }
            var cursor = start
            cursor.advance(place)
            let found = map.member(cursor)
            guard isMapped, first + 2 < quotes.count else {
                checkLast(found, sample, place, isMapped ? quotes[first...] : [])
                continue
            }
            let (key, second, third) = (quotes[first] - place, quotes[first + 1] - place, quotes[first + 2] - place)
            let isText = second == key + 2
            let next = isText ? third + 3 : second + 1
            // What is further away may be shown or not.
            let isFollowed = place + next <= sample.line.count && sample.isSeparated(place + next)
            let isLast = !isFollowed && sample.isEnd(place + next, isText: isText)
            guard isFollowed || isLast, second < 57, found != nil || third < 57 else {
                #expect(found == nil || isFollowed || isLast || second >= 57, "\(text)")
                continue
            }
            let end = isFollowed || isText ? next - 2 : next - 3
            let expected = QuoteMap.Member(key: key, isText: isText, end: end, next: isLast ? end : next, isLast: isLast)
            #expect(said(found) == said(expected), "\(place) of \(text)")
        }
    }

    private static func said(_ member: QuoteMap.Member?) -> [Int] {
        member.map { [$0.key, $0.isText ? 1 : 0, $0.end, $0.next, $0.isLast ? 1 : 0] } ?? []
    }

    /// With two quotes left or fewer there is one member more at most.
    private static func checkLast(_ found: QuoteMap.Member?, _ sample: Sample, _ place: Int, _ quotes: ArraySlice<Int>) {
        let text = String(decoding: sample.line, as: UTF8.self)
        if let found { #expect(found.isLast && !found.isText && found.next == found.end, "\(place) of \(text)") }
        // Of what is further away than a word nothing is known.
        if let last = quotes.last, last - place >= 57 { return }
        var end: Int?
        if quotes.count == 1, let quote = quotes.first, let lineEnd = sample.lastEnd(behind: quote) { end = lineEnd - place }
        #expect(found?.end == end, "\(place) of \(text)")
    }

    /// What matters to the map in every order, and line breaks and quotes behind the line.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func quotesAreShownAsATwinFindsThem(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var map = QuoteMap()
        let tokens = [
            "\"", "\\", ",\"", "\":\"", "\",\"", "\"}", "\\\"", "\\\\", "},\"", "],\"", "{", "}", ":", ",", "x", "\u{e9}", "\t", "\u{1}",
            "abcdefgh",
            " ",
        ]
        let rests = ["", "\"", "\n\"", "\\\"", "\\"].map { Array($0.utf8) }
        for _ in 0..<histories(400, of: 2_000) {
            let length = [0, 64, 128, 192][random.below(4)] + random.below(5)
            // Some lines with few quotes, and most without what is not plain.
            let choices = Array(tokens.shuffled(using: &random).prefix(2 + random.below(tokens.count)))
            var line = Array("a".utf8)
            while line.count < length { line += Array(choices[random.below(choices.count)].utf8) }
            line = Array(line.prefix(max(length, 1)))
            // A white space behind the first colon is none of this test's.
            guard let quote = line.firstIndex(of: UInt8(ascii: "\"")), quote + 2 < line.count, line[quote + 2] != 0x20 else { continue }
            Self.check(Sample(line: line, rest: rests[random.below(rests.count)]), &map)
        }
    }

    /// A text with each sort of byte in each place, so that each comes to stand at each place of a word.
    @Test(arguments: ["\"", "\\\"", "\\\\", "\\\\\\\"", ",", ",\"", "{", "}", ":", "\u{e9}", "\u{7f}", "\u{1f}"]) func everyPlaceOfAWord(
        token: String
    ) {
        var map = QuoteMap()
        for before in 0..<130 {
            let filled = (before < 40 ? "" : #"v":1,""#) + #"b":""# + String(repeating: "x", count: before % 40)
            let front = before < 80 ? "" : #"c":"0123456789012345678901234567890123456789","#
            for end in ["", #"","d":"e","f"#] {
                Self.check(Sample(line: Array((front + filled + token + end).utf8), rest: Array(token.utf8)), &map)
            }
        }
    }

    /// A line is mapped where its line break is among the first 8,192 bytes, and the next line finds nothing of it.
    @Test(arguments: [63, 64, 65, 127, 128, 8_127, 8_128, 8_129, 8_190, 8_191, 8_192, 8_193, 8_256, 20_000]) func longLines(length: Int) {
        var map = QuoteMap()
        for ending in ["", "\\", "\"", "\\\""] {
            var line = Array(String(repeating: #"b":"c","d":1,"#, count: length / 11).utf8.prefix(length - ending.utf8.count))
            line += Array(ending.utf8)
            while line.count < length { line.append(UInt8(ascii: "x")) }
            Self.check(Sample(line: line, rest: [UInt8(ascii: "\"")]), &map, isMapped: length < 8_192)
            Self.check(Sample(line: Array(#"b":"c","d"#.utf8), rest: [UInt8(ascii: "\"")]), &map)
        }
    }

    @Test func linesWithWhiteSpaceBehindColonsAreNotMapped() {
        var map = QuoteMap()
        Self.check(Sample(line: Array(#"b": "c","d":1,"e"#.utf8), rest: []), &map, isMapped: false)
        Self.check(Sample(line: Array(#"b":"c","d":1,"e"#.utf8), rest: []), &map)
        map.clear()
        let memory = Array(#"b":"c","d":1,"e"#.utf8) + [0x0a] + [UInt8](repeating: 0, count: LineCursor.padding)
        unsafe memory.withUnsafeBufferPointer { buffer in
            guard let start = unsafe LineCursor(buffer, at: 0) else { return }
            #expect(map.member(start) == nil)
        }
    }
}
