import SyncBytes
import SyncOracle
import Testing

/// The fast buffer against twins that say the same in the plainest way.
@Suite struct LineBufferTests {
    /// A text in quotes, one scalar at a time.
    private static func slowText(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += Array(#"\""#.utf8)
            case "\\": bytes += Array(#"\\"#.utf8)
            case "\n": bytes += Array(#"\n"#.utf8)
            case "\r": bytes += Array(#"\r"#.utf8)
            case "\t": bytes += Array(#"\t"#.utf8)
            default:
                if scalar.isHarmlessOnTerminal {
                    bytes += Array(String(scalar).utf8)
                } else {
                    let digits = String(scalar.value, radix: 16)
                    bytes += Array((#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
                }
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }

    private static func fastText(_ text: String) -> [UInt8] {
        var buffer = LineBuffer(capacity: 1)
        JSONText.append(text, to: &buffer)
        return buffer.array
    }

    /// Every length around the eight bytes that are copied at once, with each sort of character at each place.
    @Test func textsOfEveryLengthWithEveryCharacterAtEveryPlace() {
        let odd: [Unicode.Scalar] =
            (0..<0x100).compactMap { Unicode.Scalar($0) } + [
                "\u{2028}", "\u{202e}", "\u{61c}", "漢", "\u{10ffff}", "👩", "\u{d7ff}", "\u{e000}",
            ]
        for length in 0...18 {
            let plain = Array("abcdefghijklmnopqrs".unicodeScalars.prefix(length))
            for place in 0..<length {
                for scalar in odd {
                    var scalars = plain
                    scalars[place] = scalar
                    let text = String(String.UnicodeScalarView(scalars))
                    #expect(Self.fastText(text) == Self.slowText(text), "\(text.debugDescription)")
                }
            }
        }
        #expect(Self.fastText("") == Array("\"\"".utf8))
    }

    @Test(arguments: [UInt64(1), 2, 3]) func randomTexts(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<histories(4_000, of: 20_000) {
            let isASCII = Bool.random(using: &random)
            let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ -> Unicode.Scalar in
                isASCII
                    ? Unicode.Scalar(UInt8.random(in: 0x1e...0x7f, using: &random))
                    : Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &random)) ?? "x"
            }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(Self.fastText(text) == Self.slowText(text), "seed \(seed): \(text.debugDescription)")
        }
    }

    /// Also where the buffer has to grow, and moves what is copied.
    @Test func bytesAreAppendedOnceMore() {
        let bytes = Array("0123456789".utf8)
        for range in [0..<0, 0..<1, 3..<7, 0..<10] {
            var buffer = LineBuffer(capacity: 1)
            buffer.append(bytes)
            for _ in 0..<5 { buffer.append(again: range) }
            #expect(buffer.array == bytes + (0..<5).flatMap { _ in bytes[range] })
        }
    }

    @Test func numbersOfEveryLength() {
        var numbers: [UInt64] = [0, .max, UInt64(Int64.max), Int64.min.magnitude]
        var power: UInt64 = 1
        for _ in 0..<20 {
            numbers += [power &- 1, power, power &+ 1]
            power = power &* 10
        }
        for number in numbers {
            for isNegative in [false, true] {
                var buffer = LineBuffer(capacity: 1)
                buffer.append(decimal: number, isNegative: isNegative)
                #expect(buffer.array == Array(((isNegative ? "-" : "") + String(number)).utf8))
            }
            let digits = String(number, radix: 16)
            let padded = String(repeating: "0", count: 16 - digits.count) + digits
            for count in 0...16 {
                var buffer = LineBuffer(capacity: 1)
                buffer.append(hexadecimal: number, digits: count)
                #expect(buffer.array == Array(padded.suffix(count).utf8))
            }
        }
    }

    @Test func datesAreTheirDigits() {
        var random = SplitMix64(seed: 7)
        func padded(_ value: Int, _ width: Int) -> String { String(repeating: "0", count: width - String(value).count) + String(value) }
        for _ in 0..<20_000 {
            let moment = Int64.random(in: RFC3339.range, using: &random)
            let day = Int(moment.dividedFlooring(by: 86_400_000))
            let time = Int(moment) - day * 86_400_000
            let (year, month, dayOfMonth) = RFC3339.civil(day: day)
            let expected =
                "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(padded(time / 3_600_000, 2)):\(padded(time / 60_000 % 60, 2))"
                + ":\(padded(time / 1000 % 60, 2)).\(padded(time % 1000, 3))Z"
            #expect(RFC3339.string(milliseconds: moment) == expected)
        }
    }

    /// A buffer remembers the day of the date before.
    @Test func datesOfOneBufferShareDaysOrNot() {
        var random = SplitMix64(seed: 8)
        let days = (0..<4).map { _ in Int64.random(in: -700_000...2_000_000, using: &random) }
        var buffer = LineBuffer(capacity: 1)
        for _ in 0..<2_000 {
            let moment = (days.randomElement(using: &random) ?? 0) * 86_400_000 + Int64.random(in: 0..<86_400_000, using: &random)
            let start = buffer.count
            buffer.append(rfc3339: moment)
            let text = unsafe buffer.withBytes(start..<buffer.count) { unsafe String(decoding: $0, as: UTF8.self) }
            #expect(RFC3339.milliseconds(text) == moment)
        }
    }

    /// Random operations on the buffer and on an array give the same bytes.
    @Test(arguments: [UInt64(11), 12, 13]) func randomOperations(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var buffer = LineBuffer(capacity: 1)
        var twin: [UInt8] = []
        for step in 0..<5_000 {
            switch Int.random(in: 0..<9, using: &random) {
            case 0:
                buffer.append(UInt8(step & 0xff))
                twin.append(UInt8(step & 0xff))
            case 1:
                let bytes = (0..<Int.random(in: 0...100, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
                buffer.append(bytes)
                twin += bytes
            case 2:
                buffer.append("x")
                buffer.append("five5")
                buffer.append("a literal of more than eight bytes")
                twin += Array("xfive5a literal of more than eight bytes".utf8)
            case 3:
                buffer.append(key: "k", isFirst: true)
                buffer.append(key: "recordType", isFirst: false)
                twin += Array(#""k":,"recordType":"#.utf8)
            case 4:
                buffer.append(verbatim: "é \(step)")
                twin += Array("é \(step)".utf8)
            case 5:
                var other = LineBuffer()
                other.append("other")
                buffer.append(other)
                buffer.append(other, from: 2)
                buffer.append(other, from: 5)
                twin += Array("otherher".utf8)
            case 6:
                let length = Int.random(in: 0...buffer.count, using: &random)
                buffer.truncate(to: length)
                twin.removeSubrange(length...)
            case 7:
                let number = random.next() >> UInt64.random(in: 0..<64, using: &random)
                buffer.append(key: "n", isFirst: step.isMultiple(of: 2))
                buffer.append(decimal: number, isNegative: step.isMultiple(of: 3))
                buffer.append(key: "ts", isFirst: false)
                JSONText.append(date: Int64(step) * 86_400_001, to: &buffer)
                buffer.append(key: "device", isFirst: true)
                let copied = buffer.appendQuotedPlain("tablet\n\(step)")
                #expect(copied == 6)
                let date = RFC3339.string(milliseconds: Int64(step) * 86_400_001)
                twin += Array("\(step.isMultiple(of: 2) ? "" : ",")\"n\":\(step.isMultiple(of: 3) ? "-" : "")\(number)".utf8)
                twin += Array(",\"ts\":\"\(date)\"\"device\":\"tablet".utf8)
            default:
                let text = String(repeating: "t", count: Int.random(in: 0...20, using: &random))
                JSONText.append(text, to: &buffer)
                twin += Array("\"\(text)\"".utf8)
            }
            #expect(buffer.count == twin.count)
            #expect(buffer.isEmpty == twin.isEmpty)
        }
        #expect(buffer.array == twin, "seed \(seed)")
        let middle = twin.count / 3..<twin.count / 2
        let part = unsafe buffer.withBytes(middle) { unsafe Array($0) }
        #expect(part == Array(twin[middle]))
    }
}
