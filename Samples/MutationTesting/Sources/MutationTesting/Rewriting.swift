/// A source with several mutants, each of which the environment can turn on.
struct Rewriting {
    /// The rewritten source.
    let text: String
    /// The numbers of the mutants that each of its lines chooses between.
    let numbersOfLine: [[Int]]

    /// Rewrites a source; the mutants are numbered, and of those for one range, the first is outermost.
    init(_ source: String, mutants: [(number: Int, mutant: Mutant)]) {
        let bytes = Array(source.utf8)
        let sorted = mutants.enumerated().sorted {
            ($0.element.mutant.range.lowerBound, -$0.element.mutant.range.upperBound, $0.offset)
                < ($1.element.mutant.range.lowerBound, -$1.element.mutant.range.upperBound, $1.offset)
        }.map(\.element)
        text = Self.render(bytes, 0..<bytes.count, sorted[...])
        numbersOfLine = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.matches(of: /isMutant\(([0-9]+)\)/).compactMap { Int($0.1) }
        }
    }

    private static func render(_ bytes: [UInt8], _ range: Range<Int>, _ mutants: ArraySlice<(number: Int, mutant: Mutant)>) -> String {
        var result = ""
        var offset = range.lowerBound
        var rest = mutants
        while let outer = rest.popFirst() {
            let around = outer.mutant.range
            let inner = rest.prefix { $0.mutant.range.upperBound <= around.upperBound && $0.mutant.range.lowerBound < around.upperBound }
            rest = rest.dropFirst(inner.count)
            result += String(decoding: bytes[offset..<around.lowerBound], as: UTF8.self)
            result += outer.mutant.rewritten(render(bytes, around, inner), number: outer.number)
            offset = around.upperBound
        }
        return result + String(decoding: bytes[offset..<range.upperBound], as: UTF8.self)
    }

    /// The mutants that an error on a line, from 1, is about: those of the line, or of the nearest one before.
    func numbers(near line: Int) -> [Int] {
        numbersOfLine.prefix(line).last { !$0.isEmpty } ?? []
    }

    /// What a module with mutants asks them.
    static let question = """
        #if canImport(Darwin)
            import Darwin
        #elseif canImport(Musl)
            import Musl
        #else
            import Glibc
        #endif

        private let active: Int = unsafe getenv("MUTANT").flatMap { unsafe Int(String(cString: $0)) } ?? 0

        @inline(__always)
        func isMutant(_ number: Int) -> Bool { active == number }

        """
}
