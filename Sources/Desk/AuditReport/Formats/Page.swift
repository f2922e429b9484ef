import AuditAnalysis

/// What is told of a subject to a person: sentences, items and tables from top to bottom, whatever draws them.
///
/// Text comes in escaped for a terminal.
package struct Page {
    /// A run of text in one tone.
    typealias Span = (text: String, tone: Tone)

    /// A part of a page, from one edge to the other.
    enum Block {
        /// Words that are broken between lines where they are wider than the page.
        case paragraph(String, indentation: Int, Tone, TerminalText.WideWord)
        /// A text that is never broken, so that a location or a command in it can be copied.
        case line([Span])
        /// Words behind a mark, their other lines below their first.
        case item([Span], String)
        /// A command to copy, and what it is for where there is room.
        case command(String, purpose: String)
        /// Cells in columns below headings.
        case table(TextTable)
        /// A part of a report, in the columns that all of its parts share.
        case section(ReportSection, in: ReportGrid)
        /// What logs tell of sync itself, a row for each device.
        case health(HealthTable)
    }

    private(set) var blocks: [Block] = []

    /// Adds the answer: what is read where nothing else is.
    mutating func headline(_ words: String, _ tone: Tone = .plain) { paragraph(words, tone.strong) }

    /// Adds words that are broken between lines where they are wider than the page.
    ///
    /// - Parameter wide: What becomes of a word that is wider than the page.
    mutating func paragraph(
        _ words: String, indentation: Int = 0, _ tone: Tone = .plain, wide: TerminalText.WideWord = .cut
    ) {
        blocks.append(.paragraph(words, indentation: indentation, tone, wide))
    }

    /// Adds the title of what follows, after an empty line.
    mutating func title(_ words: String) {
        lineBreak()
        line(words, .strong)
    }

    /// Adds a text that is never broken.
    mutating func line(_ spans: [Span]) { blocks.append(.line(spans)) }

    /// Adds a text that is never broken.
    mutating func line(_ spans: Span...) { line(spans) }

    /// Adds a text that is never broken.
    mutating func line(_ text: String, _ tone: Tone = .plain) { line([(text, tone)]) }

    /// Adds an empty line.
    mutating func lineBreak() { line([]) }

    /// Adds words behind a mark that comes with the spaces that follow it.
    mutating func item(_ mark: Span..., words: String) { blocks.append(.item(mark, words)) }

    /// Adds a command, and what it is for.
    mutating func command(_ command: String, purpose: String) { blocks.append(.command(command, purpose: purpose)) }

    /// Adds a table.
    mutating func table(_ table: TextTable) { blocks.append(.table(table)) }

    /// Adds a part of a report after an empty line.
    mutating func section(_ section: ReportSection, in grid: ReportGrid) {
        lineBreak()
        blocks.append(.section(section, in: grid))
    }

    /// Adds tables of the health of sync, each after an empty line.
    mutating func health(of summary: Summary) {
        for table in HealthTable.all(of: summary) {
            lineBreak()
            blocks.append(.health(table))
        }
    }

    /// Adds all of another page.
    mutating func add(_ page: Page) { blocks += page.blocks }
}
