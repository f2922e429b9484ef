import AuditAnalysis

extension Page {
    /// The page for a terminal, lines ended by line feeds.
    package func text(style: TerminalStyle, width: Int) -> String {
        var text = PageText(width: width, style: style)
        for block in blocks { text.draw(block) }
        return text.text
    }

    /// The page for a terminal, as wide as a layout says.
    package func text(_ layout: PageLayout) -> String { text(style: layout.style, width: layout.width) }

    /// How many lines of a terminal the page takes.
    func lineCount(width: Int) -> Int {
        text(style: TerminalStyle(isEnabled: false), width: width).utf8.count { $0 == UInt8(ascii: "\n") }
    }
}

/// A page as it is drawn for a terminal.
private struct PageText {
    private let width: Int
    private let style: TerminalStyle
    private(set) var text = ""

    init(width: Int, style: TerminalStyle) {
        self.width = width
        self.style = style
    }

    mutating func draw(_ block: Page.Block) {
        switch block {
        case .paragraph(let words, let indentation, let tone, let wide):
            let margin = String(repeating: " ", count: indentation)
            for line in TerminalText.lines(words, to: width - indentation, wide: wide) { text += margin + style.toned(line, tone) + "\n" }
        case .line(let spans): text += toned(spans) + "\n"
        case .item(let mark, let words):
            let margin = mark.reduce(0) { $0 + TerminalText.width($1.text) }
            let lines = TerminalText.lines(words, to: width - margin, wide: .cut)
            text += toned(mark) + lines.joined(separator: "\n" + String(repeating: " ", count: margin)) + "\n"
        case .command(let command, let purpose): draw(command, purpose)
        case .table(let table): text += style.headed(table.render(maximumWidth: width))
        case .section(let section, let grid): draw(section, in: grid)
        case .health(let table): draw(table)
        }
    }

    private func toned(_ spans: [Page.Span]) -> String { spans.map { style.toned($0.text, $0.tone) }.joined() }

    /// Adds a command, and what it is for where there is room.
    private mutating func draw(_ command: String, _ purpose: String) {
        let isShort = TerminalText.width(command) + 2 + TerminalText.width(purpose) <= width
        // Spaces that lead to nothing would be copied along.
        let command = isShort ? command : String(command.reversed().drop { $0 == " " }.reversed())
        text += style.cyan(command) + (isShort ? "  " + style.dim(purpose) : "") + "\n"
    }

    private mutating func draw(_ section: ReportSection, in grid: ReportGrid) {
        switch section.content {
        case .sentence(let sentence):
            if TerminalText.width(section.title) + 2 + TerminalText.width(sentence) <= width {
                text += style.bold(section.title) + "  " + style.dim(sentence) + "\n"
            } else {
                text += style.bold(section.title) + "\n"
                draw(.paragraph(sentence, indentation: 2, .aside, .cut))
            }
        case .lengths(let lengths):
            text += style.bold(section.title) + "\n"
            draw(lengths)
        case .breakdown(let breakdown):
            drawHeading(section.title, over: grid, where: breakdown.fills)
            let largest = breakdown.largest
            for row in breakdown.rows { draw(row, breakdown.measure, largest: largest, in: grid) }
            if let others = breakdown.others { draw(others, breakdown.measure, largest: 0, in: grid) }
        }
    }

    /// Adds a table of the health of sync; where it is wider than the page, its columns follow in several parts.
    private mutating func draw(_ table: HealthTable) {
        draw(.paragraph(table.title, indentation: 0, .strong, .cut))
        if table.isOfSentences { return drawSentences(table) }
        var parts: [[Int]] = []
        var left = 0
        let nameWidth = min(max(6, table.rows.map { TerminalText.width($0.device) }.max() ?? 0), max(width / 4, 6))
        for column in table.headings.indices {
            let widest = table.rows.map { TerminalText.width($0.cells[column]) }.max() ?? 0
            // Words are cut where there is no room for all of them.
            let wanted = 2 + max(TerminalText.width(table.headings[column]), table.isOfWords(column) ? min(widest, 10) : widest)
            if parts.isEmpty || wanted > left {
                parts.append([])
                left = width - 2 - nameWidth
            }
            parts[parts.count - 1].append(column)
            left -= wanted
        }
        for part in parts { draw(table, columns: part) }
    }

    /// Adds a row of a table as a sentence that goes on in further lines.
    private mutating func drawSentences(_ table: HealthTable) {
        let nameWidth = min(table.rows.map { TerminalText.width($0.device) }.max() ?? 0, max(width / 4, 6))
        for row in table.rows {
            let name = TerminalText.padded(TerminalText.shortened(row.device, to: nameWidth), to: nameWidth)
            let words = row.cells.filter { !$0.isEmpty }.joined(separator: ": ")
            draw(.item([Page.Span(text: "  " + name + "  ", tone: row.needsAttention ? .bad : .plain)], words))
        }
    }

    private mutating func draw(_ table: HealthTable, columns: [Int]) {
        let layout = columns.map { column in
            TextTable.Column(
                table.headings[column], alignment: table.isOfWords(column) ? .left : .right, isFlexible: table.isOfWords(column))
        }
        var drawn = TextTable(columns: [TextTable.Column("device", isFlexible: true)] + layout)
        for row in table.rows { drawn.addRow([row.device] + columns.map { row.cells[$0] }) }
        for (index, line) in drawn.render(maximumWidth: width - 2).split(separator: "\n").enumerated() {
            let isWrong = index > 0 && table.rows[index - 1].needsAttention
            text += "  " + (index == 0 ? style.dim(String(line)) : isWrong ? style.red(String(line)) : String(line)) + "\n"
        }
    }

    private mutating func drawHeading(_ title: String, over grid: ReportGrid, where isUsed: (ReportGrid.Column) -> Bool) {
        var headings = ""
        for column in grid.columns where isUsed(column.column) {
            headings += "  " + TerminalText.padded(column.heading, to: column.width, alignment: .right)
        }
        let blanks = headings.prefix { $0 == " " }.count
        let overhang = TerminalText.width(title) - grid.labelWidth - 2
        if overhang < blanks - 1 {
            let padding = String(repeating: " ", count: max(0, -overhang))
            text += style.bold(title) + padding + style.dim(String(headings.dropFirst(max(0, overhang)))) + "\n"
        } else {
            text += style.bold(title) + "\n" + style.dim(String(repeating: " ", count: grid.labelWidth + 2) + headings) + "\n"
        }
    }

    private mutating func draw(_ row: ReportRow, _ measure: Breakdown.Measure, largest: Int, in grid: ReportGrid) {
        let label = TerminalText.truncated(row.label, to: width - 2)
        var used = TerminalText.width(label)
        var edge = grid.labelWidth
        text += "  " + label
        for (column, _, width) in grid.columns {
            edge += width + 2
            guard let value = column.value(row) else { continue }
            let number = grid.text(value)
            let length = TerminalText.width(number)
            if edge - used - length < 2 {
                // Rather a line of its own than a name that ends in dots.
                text += "\n  "
                used = 0
            }
            text += String(repeating: " ", count: edge - used - length)
            text += value == 0 ? style.dim(number) : column.isLoss ? style.red(number) : number
            used = edge
        }
        let bar = bar(row, measure, largest: largest, width: grid.barWidth)
        text += (bar.isEmpty ? "" : String(repeating: " ", count: edge - used + 2) + bar) + "\n"
    }

    /// Solid for what is proven, light for what is suspected.
    private func bar(_ row: ReportRow, _ measure: Breakdown.Measure, largest: Int, width: Int) -> String {
        guard largest > 0, width > 0 else { return "" }
        let (proven, all) = measure == .losses ? (row.proven.losses, row.losses) : (row.proven.conflicts, row.conflicts)
        guard all > 0 else { return "" }
        // A proven part that is a sliver wide leaves no room for the other at the end of the bar. Each scalar of a bar is one column.
        let solid = Chart.bar(Double(proven) / Double(largest), width: width).unicodeScalars.prefix(all > proven ? width - 1 : width)
        let cells = max(1, Int(Double(all) / Double(largest) * Double(width) + 0.5))
        let light = all > proven ? String(repeating: "░", count: max(1, cells - solid.count)) : ""
        let paint = measure == .losses ? style.red : style.cyan
        return paint(String(solid)) + style.yellow(light)
    }

    private mutating func draw(_ lengths: [ReportSection.Length]) {
        let certainties = ReportSection.certainties(in: lengths)
        // What is proven needs no heading where nothing else stands beside it.
        let isProven = certainties.map(\.name) == ["proven"]
        let columns = certainties.map { TextTable.Column(isProven ? "" : $0.name, alignment: .right) }
        var table = TextTable(columns: [TextTable.Column(isFlexible: true)] + columns)
        for length in lengths {
            table.addRow(
                [length.label] + certainties.map { length[keyPath: $0.length].map { HumanNumber.duration(milliseconds: $0) } ?? "" })
        }
        for line in table.render(maximumWidth: width - 2).split(separator: "\n") { text += "  " + line + "\n" }
    }
}

extension ReportGrid.Column {
    fileprivate var isLoss: Bool { self == .losses || self == .suspectedLosses }
}
