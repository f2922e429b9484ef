import AuditAnalysis
package import ProjectDoctor
import SyncBytes
import SyncModel

/// Writes what an examination of a project came to, for a person at a terminal.
package enum DoctorVerdict {
    /// One screen: a headline, what syncs, a line for each broken rule, the list of points, and whether CloudKit suits.
    package static func text(_ diagnosis: Diagnosis, name: String, style: TerminalStyle, width: Int) -> String {
        var lines = Lines(style: style, width: max(width, 40))
        lines.headline(diagnosis, name)
        lines.stores(diagnosis)
        lines.measured(diagnosis)
        lines.rules(diagnosis)
        lines.checklist(diagnosis)
        lines.suitability(diagnosis)
        if !diagnosis.notes.isEmpty {
            lines.add(
                style.dim(
                    "\(HumanNumber.count(diagnosis.notes.count, "thing")) could not be decided; --all names them, and every finding "
                        + "with its fix"
                ))
        } else if !diagnosis.findings.isEmpty {
            lines.add(style.dim("--all shows every finding with its reason and its fix"))
        }
        return lines.text
    }

    /// Every finding with its location, its reason and its fix, then what could not be decided.
    package static func all(_ diagnosis: Diagnosis, name: String, style: TerminalStyle, width: Int) -> String {
        var lines = Lines(style: style, width: max(width, 40))
        lines.headline(diagnosis, name)
        lines.stores(diagnosis)
        var rule = ""
        for finding in diagnosis.findings {
            if finding.rule != rule {
                rule = finding.rule
                lines.rule(finding)
            }
            // Whole and on one line, so that the location can be clicked or cut out.
            lines.whole("  \(finding.location.text): \(safe(finding.message))")
            lines.paragraph("Fix: " + finding.fix, indentation: 6)
        }
        if !diagnosis.ignored.isEmpty {
            lines.title("Left out by .syncaudit.json")
            for (finding, reason) in diagnosis.ignored {
                lines.whole("  \(finding.location.text): \(safe(finding.message))")
                lines.paragraph("Reason: " + reason, indentation: 6)
            }
        }
        for measurement in diagnosis.measurements { lines.sizes(measurement) }
        lines.relationships(diagnosis)
        lines.checklist(diagnosis)
        lines.suitability(diagnosis)
        if !diagnosis.notes.isEmpty {
            lines.title("Not decided")
            for note in diagnosis.notes { lines.whole("  \(note.location.text): \(safe(note.sentence))") }
        }
        return lines.text
    }

    static func safe(_ text: String) -> String { text.escaped(for: .terminal) }

    /// The rule of a finding.
    static func rule(_ finding: Finding) -> Rule? { Rule.all.first { $0.id == finding.rule } }
}

extension SourceLocation {
    /// File, line and column as editors take them.
    ///
    /// No line begins as a command to whoever runs a workflow.
    var text: String {
        // What is said of the whole folder has no line.
        if path.isEmpty { return "./" }
        return "\(path.hasPrefix(":") ? "./" : "")\(path.escaped(for: .terminal)):\(line):\(column)"
    }

    /// The file's own name and the line.
    fileprivate var shortText: String { "\(RelativePath.name(of: path)):\(line)" }
}

/// The lines of a verdict.
private struct Lines {
    let style: TerminalStyle
    let width: Int
    private(set) var text = ""

    init(style: TerminalStyle, width: Int) { (self.style, self.width) = (style, width) }

    mutating func add(_ line: String) { text += line + "\n" }

    /// Adds a line that is not broken.
    mutating func whole(_ line: String) { text += line + "\n" }

    mutating func title(_ title: String) { text += "\n" + style.bold(title) + "\n" }

    mutating func paragraph(_ words: String, indentation: Int, wide: TerminalText.WideWord = .cut) {
        var page = ReportPage(width: width, style: style)
        page.paragraph(DoctorVerdict.safe(words), indentation: indentation, wide: wide) { $0 }
        text += page.text
    }

    /// Adds a sentence behind a label, its other lines below its first.
    ///
    /// - Parameter painted: The label in its colour.
    private mutating func row(_ label: String, _ painted: String, _ words: String) {
        let labelWidth = TerminalText.width(label)
        var page = ReportPage(width: width, style: style)
        page.paragraph(DoctorVerdict.safe(words), indentation: labelWidth) { $0 }
        text += painted + page.text.dropFirst(labelWidth)
    }

    mutating func headline(_ diagnosis: Diagnosis, _ name: String) {
        let counts = [(Rule.Severity.error, "error"), (.warning, "warning"), (.advice, "piece of advice")].compactMap { severity, noun in
            let count = diagnosis.count(severity)
            let plural = severity == .advice ? "pieces of advice" : nil
            return count == 0 ? nil : HumanNumber.count(count, noun, plural)
        }
        let found = counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
        let paint = diagnosis.count(.error) > 0 ? style.red : diagnosis.count(.warning) > 0 ? style.yellow : style.green
        let looked =
            "in \(HumanNumber.count(diagnosis.counts.targets, "target")), \(HumanNumber.count(diagnosis.counts.swiftFiles, "Swift file"))"
        add(paint(style.bold("\(DoctorVerdict.safe(name)): \(found)")) + style.dim("  \(looked)"))
    }

    mutating func stores(_ diagnosis: Diagnosis) {
        if let first = diagnosis.unread.first {
            let files = HumanNumber.count(diagnosis.unread.count, "file")
            let verb = diagnosis.unread.count == 1 ? "imports" : "import"
            row("", "", "Objective-C is not read: \(files) of it \(verb) CloudKit, such as \(RelativePath.name(of: first)).")
        } else if diagnosis.stores.isEmpty {
            row("", "", diagnosis.ownCode.map { Self.sentence($0) + "." } ?? nothingFound(diagnosis))
            return
        }
        // Stores of which all that is said is equal are one line.
        var lines: [(verb: String, words: String, isUnknown: Bool, count: Int)] = []
        var known: [String: Int] = [:]
        for store in diagnosis.stores {
            let names = store.entities.sorted()
            let shown =
                names.isEmpty
                ? store.framework.rawValue
                : names.count <= 4
                    ? names.joined(separator: ", ") : "\(names.prefix(3).joined(separator: ", ")) and \(names.count - 3) others"
            let verb = store.syncs.map { $0 ? "syncs  " : "local  " } ?? "unknown"
            let words = "\(shown): \(store.reason)"
            if let index = known[verb + words] {
                lines[index].count += 1
            } else {
                known[verb + words] = lines.count
                lines.append((verb, words, store.syncs == nil, 1))
            }
        }
        for line in lines.prefix(Self.storeLines) {
            let painted = line.isUnknown ? style.yellow(line.verb) : style.cyan(line.verb)
            row("\(line.verb) ", painted + " ", line.words + (line.count > 1 ? " (\(line.count) stores)" : ""))
        }
        let more = lines.dropFirst(Self.storeLines).reduce(0) { $0 + $1.count }
        if more > 0 { row("", "", "… and \(HumanNumber.count(more, "other store"))") }
        if let code = diagnosis.ownCode, code != .asks {
            let isMirrored = diagnosis.stores.contains { $0.syncs == true }
            row("", "", "\(Self.sentence(code))\(isMirrored ? " too" : "").")
        }
    }

    private static func sentence(_ code: OwnCode) -> String {
        switch code {
        case .sends: "Records go to CloudKit by code of the app's own"
        case .library: "Records go to CloudKit by a library's sync engine"
        case .asks: "Code of the app's own speaks to CloudKit, and no record was found that it saves"
        }
    }

    /// Where nothing syncs that is known: what may, all the same.
    private func nothingFound(_ diagnosis: Diagnosis) -> String {
        var text = "Nothing was found that syncs by CloudKit"
        if let app = diagnosis.entitledApp {
            text += ", though \(app) has it in its entitlements: what syncs may be in a package that was not read"
        }
        return text + (diagnosis.usesKeyValueStore ? ". Values are kept by NSUbiquitousKeyValueStore, which syncs by itself." : ".")
    }
    /// The lines that stores may fill.
    private static let storeLines = 4

    /// A line for each store or log that was measured.
    mutating func measured(_ diagnosis: Diagnosis) {
        for measurement in diagnosis.measurements { row("holds   ", style.cyan("holds") + "   ", measurement.sentence) }
    }

    /// The fields of a store or a log by their bytes.
    mutating func sizes(_ measurement: Measurement) {
        title("Sizes in " + DoctorVerdict.safe(measurement.source))
        whole("  " + DoctorVerdict.safe(measurement.sentence))
        let shown = measurement.largestFields.prefix(12)
        let names = shown.map { EventText.name($0.type + "." + $0.name) }
        let nameWidth = min(names.map(TerminalText.width).max() ?? 0, 40)
        for (name, entry) in zip(names, shown) {
            let field = entry.field
            let label = TerminalText.padded(TerminalText.truncated(name, to: nameWidth), to: nameWidth)
            let columns = [field.bytes.megabytes, "\(HumanNumber.count(field.values, "value"))", "\(field.largest.megabytes) at most"]
            whole("  \(label)  \(columns.joined(separator: ", "))\(field.isAsset ? ", beside the record" : "")")
        }
        if measurement.largestFields.count > shown.count {
            whole("  … and \(HumanNumber.count(measurement.largestFields.count - shown.count, "other field"))")
        }
    }

    /// The lines that rules may fill, so that the rest still fits the screen.
    private static let ruleLines = 4

    mutating func rules(_ diagnosis: Diagnosis) {
        if diagnosis.findings.isEmpty { return }
        text += "\n"
        var ids: [String] = []
        for finding in diagnosis.findings where !ids.contains(finding.rule + finding.severity.rawValue) {
            ids.append(finding.rule + finding.severity.rawValue)
        }
        let start = text.endIndex
        for (index, id) in ids.enumerated() {
            let findings = diagnosis.findings.filter { $0.rule + $0.severity.rawValue == id }
            guard let first = findings.first else { continue }
            let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
            let label = TerminalText.padded(first.severity.rawValue, to: 8)
            var longer = self
            longer.row(label, paint(first.severity)(label), "\(first.location.shortText) \(first.message)\(more)")
            // The last may take the line that would say that there is one more.
            let isLast = index == ids.count - 1
            guard index == 0 || longer.text[start...].count(where: { $0 == "\n" }) <= Self.ruleLines + (isLast ? 1 : 0) else {
                row("", "", "… and \(HumanNumber.count(ids.count - index, "other rule"))")
                return
            }
            self = longer
        }
    }

    private func paint(_ severity: Rule.Severity) -> (String) -> String {
        switch severity {
        case .error: style.red
        case .warning: style.yellow
        case .advice: style.cyan
        }
    }

    mutating func rule(_ finding: Finding) {
        guard let rule = DoctorVerdict.rule(finding) else { return }
        text +=
            "\n" + paint(finding.severity)(finding.severity.rawValue) + " " + style.bold(rule.title) + style.dim("  [\(rule.id)]") + "\n"
        paragraph(rule.consequence, indentation: 2)
        if let printed = rule.frameworkText { paragraph("It prints: " + printed, indentation: 2) }
        if let source = rule.source { paragraph("Source: " + source, indentation: 2, wide: .whole) }
    }

    /// The relationships of what syncs, and how they are kept.
    mutating func relationships(_ diagnosis: Diagnosis) {
        if diagnosis.relationships.isEmpty { return }
        title("Relationships")
        for relationship in diagnosis.relationships {
            paragraph("\(relationship.name) to \(relationship.destination), \(relationship.kept)", indentation: 2)
        }
    }

    mutating func checklist(_ diagnosis: Diagnosis) {
        guard diagnosis.syncs || !diagnosis.stores.isEmpty else { return }
        text += "\n"
        for item in diagnosis.checklist {
            let label = TerminalText.padded(item.state == .unknown ? "look" : item.state.rawValue, to: 5)
            let painted = item.state == .no ? style.yellow(label) : item.state == .yes ? style.green(label) : style.dim(label)
            guard width >= 70 else {
                row(label, painted, "\(item.title): \(item.detail)")
                continue
            }
            let title = TerminalText.padded(item.title, to: 40) + " "
            row(label + title, painted + title, item.detail)
        }
    }

    mutating func suitability(_ diagnosis: Diagnosis) {
        guard diagnosis.syncs || !diagnosis.stores.isEmpty else { return }
        text += "\n"
        let sentence = diagnosis.suitability
        paragraph("CloudKit or not? " + sentence, indentation: 0)
    }
}

extension Diagnosis {
    /// Whether CloudKit suits: what speaks against it in what syncs, and what stands in the way of what does not yet.
    var suitability: String {
        let against = reasonsAgainstCloudKit
        var sentences: [String] = []
        if !against.isEmpty {
            sentences.append("What the project asks for and CloudKit does not give: \(against.joined(separator: "; ")).")
        } else if syncs || obstacles.counts.isEmpty {
            sentences.append("Nothing found speaks against it, as long as the last writer may win a field.")
        }
        if !obstacles.counts.isEmpty {
            let counts = obstacles.counts.map { HumanNumber.count($0.count, $0.one, $0.many) }
            sentences.append("In the way of what is local: \(counts.joined(separator: ", ")).")
        }
        return sentences.joined(separator: " ")
    }

    /// What the project needs that CloudKit does not give, as phrases for a sentence.
    var reasonsAgainstCloudKit: [String] {
        let rules = Set(findings.map(\.rule))
        let reasons = [
            ("schema.unique", "unique values, which no two devices can be held to"), ("schema.migration", "custom migrations"),
            ("losses.counter", "counters, unless each event is a record"), ("schema.relationship-ordered", "ordered relationships"),
            ("schema.delete-rule", "deletes that are denied"),
        ]
        return reasons.filter { rules.contains($0.0) }.map(\.1)
    }
}

extension Measurement {
    /// What is there, what of it is most, what waits, and how it grows.
    var sentence: String {
        let (records, bytes) = total
        var parts = ["\(HumanNumber.count(records, "record")), \(bytes.megabytes)"]
        if let most = largestFields.first { parts.append("most in \(most.type).\(most.name) (\(most.field.bytes.megabytes))") }
        if let waiting, waiting.writes > 0 { parts.append("\(waiting.bytes.megabytes) wait to be sent") }
        if let growth = bytesPerMonth { parts.append("\(growth.megabytes) more a month") }
        let lost = losses.reduce(0) { $0 + $1.edits }
        if lost > 0 { parts.append("\(HumanNumber.count(lost, "edit")) lost") }
        return "\(RelativePath.name(of: source)): \(parts.joined(separator: ", "))"
    }
}
