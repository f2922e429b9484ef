/// A block of code, or of what a program writes, in a page.
package struct CodeBlock {
    /// The page, and the line at which the block begins.
    package let location: String
    package let lines: [String]

    /// The blocks of a language in a page, in their order.
    package static func all(of language: String, in page: String) throws -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: (language: Substring, number: Int, lines: [String])?
        for (index, line) in try Repository.text(page).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("```") else {
                open?.lines.append(String(line))
                continue
            }
            if let block = open {
                if block.language == language { blocks.append(CodeBlock(location: "\(page):\(block.number)", lines: block.lines)) }
                open = nil
            } else {
                open = (line.dropFirst(3), index + 1, [])
            }
        }
        return blocks
    }
}
