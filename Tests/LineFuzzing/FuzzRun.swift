/// Many fuzzed inputs, each by itself and some hundred at a time as one file.
package struct FuzzRun {
    /// An input that is read in two ways.
    package struct Finding: Error, CustomStringConvertible {
        /// The seed and which of its inputs, what is wrong, and the input.
        package let description: String
    }

    private static let linesAtATime = 200
    private let seed: UInt64
    private let count: Int
    private let path: String

    /// So many inputs of a seed, with a file of this name.
    package init(seed: UInt64, count: Int, path: String) {
        self.seed = seed
        self.count = count
        self.path = path
    }

    /// Tries them all.
    ///
    /// - Parameter progress: Is told now and then how far it is.
    /// - Returns: What was tried, in words.
    /// - Throws: ``Finding`` at the first input on which two ways of reading differ.
    package func run(_ progress: (String) -> Void = { _ in }) throws -> String {
        var input = FuzzedInput(seed: seed)
        var check = LineCheck()
        let streams = StreamCheck(path: path)
        var text: [UInt8] = []
        for number in 0..<count {
            let line = input.next()
            if let problem = check.problem(of: line) { throw finding(number, problem, line) }
            text += line + [0x0a]
            if number % Self.linesAtATime == Self.linesAtATime - 1 {
                // Not every file ends with a line break.
                if number % 3 == 0 { text.removeLast() }
                if let problem = try streams.problem(of: text) { throw finding(number, problem, text) }
                text = []
            }
            if number % 1_000_000 == 999_999 { progress("\(number + 1) inputs, \(check.understood) of them lines that can be read") }
        }
        return "\(count) inputs of seed \(seed), \(check.understood) of them lines that can be read: every way of reading them agrees"
    }

    private func finding(_ number: Int, _ problem: String, _ bytes: [UInt8]) -> Finding {
        Finding(
            description:
                "seed \(seed), input \(number): \(problem)\n\(bytes.count < 20_000 ? String(decoding: bytes, as: UTF8.self) : "(long)")")
    }
}
