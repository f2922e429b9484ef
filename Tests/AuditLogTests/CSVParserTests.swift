import SyncOracle
import Testing

@testable import AuditLog

/// Separated values, against a reading byte by byte.
@Suite struct CSVParserTests {
    /// The values of a line; nil where it is blank, ends inside quotes, or goes on after them.
    private func slowValues(_ line: [UInt8], separator: UInt8) -> [String]? {
        let quote = UInt8(ascii: "\"")
        if line.isEmpty { return nil }
        var values: [String] = []
        var rest = line[...]
        while true {
            var value: [UInt8] = []
            if rest.first == quote {
                rest.removeFirst()
                var isClosed = false
                while !isClosed, let byte = rest.popFirst() {
                    if byte == quote, rest.first != quote {
                        isClosed = true
                    } else {
                        if byte == quote { rest.removeFirst() }
                        value.append(byte)
                    }
                }
                guard isClosed, rest.isEmpty || rest.first == separator else { return nil }
            } else {
                while let byte = rest.first, byte != separator {
                    value.append(byte)
                    rest.removeFirst()
                }
            }
            values.append(String(decoding: value, as: UTF8.self))
            if rest.popFirst() == nil { return values }
        }
    }

    /// Random lines, so that separators and quotes are at every offset of the eight bytes that are looked at together.
    @Test(arguments: [",", ";", "\t"] as [Unicode.Scalar], [1, 2, 3] as [UInt64])
    func linesAreCutAsByteByByte(separator: Unicode.Scalar, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let separator = UInt8(ascii: separator)
        for _ in 0..<2000 {
            var line: [UInt8] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let quote = Bool.random(using: &random) ? "\"" : ""
                let text = (0..<Int.random(in: 0...17, using: &random)).map { _ in
                    ["a", "-", "é", "\u{1}", quote + quote].randomElement(using: &random) ?? ""
                }
                line += (quote + text.joined() + quote).utf8
                line.append(separator)
            }
            var parser = CSVParser(separator: separator, maximumLength: 1 << 20)
            let values = try? parser.consume(line.span)
            #expect(values == slowValues(line, separator: separator), "\(String(decoding: line, as: UTF8.self).debugDescription)")
        }
    }
}
