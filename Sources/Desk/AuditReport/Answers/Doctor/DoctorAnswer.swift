import AuditAnalysis
package import ProjectDoctor
import SyncBytes
import SyncLines
import SyncModel

/// What an examination of a project came to.
package struct DoctorAnswer: Answer {
    let diagnosis: Diagnosis
    /// What the project is called.
    let name: String

    /// The answer to an examination.
    package init(_ diagnosis: Diagnosis, name: String) { (self.diagnosis, self.name) = (diagnosis, name) }

    // MARK: For programs

    package var document: Document {
        [
            "findings": Rows(diagnosis.findings) { Self.document($0) },
            "ignored": Rows(diagnosis.ignored) { Document(Self.document($0.finding), ["reason": $0.reason]) },
            "notes": Rows(diagnosis.notes) { Document(Self.document($0.location), ["sentence": $0.sentence]) },
            "stores": Rows(diagnosis.stores) { store in
                Document(
                    [
                        "framework": store.framework.rawValue, "syncs": store.syncs, "reason": store.reason,
                        "entities": store.entities.sorted(),
                    ], Self.document(store.location))
            },
            "checklist": Rows(diagnosis.checklist) { ["title": $0.title, "state": $0.state.rawValue, "detail": $0.detail] },
            "relationships": Rows(diagnosis.relationships) { relationship in
                Document(
                    ["name": relationship.name, "destination": relationship.destination, "kept": relationship.kept],
                    Self.document(relationship.location))
            },
            "obstacles": Rows(diagnosis.obstacles.counts) { ["what": $0.one, "count": $0.count] },
            "measurements": diagnosis.measurements.isEmpty ? nil : Rows(diagnosis.measurements) { Self.document($0) },
        ]
    }

    private static func document(_ measurement: Measurement) -> Document {
        [
            "source": measurement.source, "records": measurement.total.records, "bytes": measurement.total.bytes,
            "bytesPerMonth": measurement.bytesPerMonth,
            "waiting": measurement.waiting.map { ["writes": $0.writes, "bytes": $0.bytes] as Document },
            "fields": Rows(measurement.largestFields) { type, name, field in
                [
                    "recordType": type, "field": name, "values": field.values, "bytes": field.bytes, "largest": field.largest,
                    "isAsset": field.isAsset,
                ]
            },
            "losses": Rows(measurement.losses) { ["recordType": $0.type, "field": $0.field, "edits": $0.edits] },
        ]
    }

    private static func document(_ finding: Finding) -> Document {
        Document(
            ["rule": finding.rule, "severity": finding.severity.rawValue], document(finding.location),
            ["message": finding.message, "fix": finding.fix])
    }

    private static func document(_ location: SourceLocation) -> Document {
        ["path": location.path, "line": location.line, "column": location.column]
    }

    // MARK: For a person

    /// One screen: a headline, what syncs, a line for each broken rule, the list of points, and whether CloudKit suits.
    package func page(_ layout: PageLayout) -> Page {
        var page = Page()
        drawHeadline(on: &page)
        drawStores(on: &page)
        for measurement in diagnosis.measurements { page.item(("holds", .name), ("   ", .plain), words: Self.safe(measurement.sentence)) }
        drawRules(layout, on: &page)
        drawChecklist(layout, on: &page)
        drawSuitability(on: &page)
        if !diagnosis.notes.isEmpty {
            let count = HumanNumber.count(diagnosis.notes.count, "thing")
            page.line("\(count) could not be decided; --all names them, and every finding with its fix", .aside)
        } else if !diagnosis.findings.isEmpty {
            page.line("--all shows every finding with its reason and its fix", .aside)
        }
        return page
    }

    /// Every finding with its location, its reason and its fix, then what could not be decided.
    package func wholePage(_ layout: PageLayout) -> Page {
        var page = Page()
        drawHeadline(on: &page)
        drawStores(on: &page)
        var rule = ""
        for finding in diagnosis.findings {
            if finding.rule != rule {
                rule = finding.rule
                Self.drawRule(of: finding, on: &page)
            }
            // Whole and on one line, so that the location can be clicked or cut out.
            page.line("  \(finding.location.text): \(Self.safe(finding.message))")
            page.paragraph(Self.safe("Fix: " + finding.fix), indentation: 6)
        }
        if !diagnosis.ignored.isEmpty {
            page.title("Left out by .syncaudit.json")
            for (finding, reason) in diagnosis.ignored {
                page.line("  \(finding.location.text): \(Self.safe(finding.message))")
                page.paragraph(Self.safe("Reason: " + reason), indentation: 6)
            }
        }
        for measurement in diagnosis.measurements { Self.drawSizes(measurement, on: &page) }
        if !diagnosis.relationships.isEmpty {
            page.title("Relationships")
            for one in diagnosis.relationships {
                page.paragraph(Self.safe("\(one.name) to \(one.destination), \(one.kept)"), indentation: 2)
            }
        }
        drawChecklist(layout, on: &page)
        drawSuitability(on: &page)
        if !diagnosis.notes.isEmpty {
            page.title("Not decided")
            for note in diagnosis.notes { page.line("  \(note.location.text): \(Self.safe(note.sentence))") }
        }
        return page
    }

    private static func safe(_ text: String) -> String { text.escaped(for: .terminal) }

    private func drawHeadline(on page: inout Page) {
        let counts = [(Rule.Severity.error, "error"), (.warning, "warning"), (.advice, "piece of advice")].compactMap { severity, noun in
            let count = diagnosis.count(severity)
            let plural = severity == .advice ? "pieces of advice" : nil
            return count == 0 ? nil : HumanNumber.count(count, noun, plural)
        }
        let found = counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
        let tone: Tone = diagnosis.count(.error) > 0 ? .bad : diagnosis.count(.warning) > 0 ? .warning : .good
        let looked =
            "in \(HumanNumber.count(diagnosis.counts.targets, "target")), \(HumanNumber.count(diagnosis.counts.swiftFiles, "Swift file"))"
        page.line(("\(Self.safe(name)): \(found)", tone.strong), ("  \(looked)", .aside))
    }

    private func drawStores(on page: inout Page) {
        if let first = diagnosis.unread.first {
            let files = HumanNumber.count(diagnosis.unread.count, "file")
            let verb = diagnosis.unread.count == 1 ? "imports" : "import"
            let example = RelativePath.name(of: first)
            page.paragraph(Self.safe("Objective-C is not read: \(files) of it \(verb) CloudKit, such as \(example)."))
        } else if diagnosis.stores.isEmpty {
            page.paragraph(Self.safe(diagnosis.ownCode.map { Self.sentence($0) + "." } ?? nothingFound))
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
            let words = line.words + (line.count > 1 ? " (\(line.count) stores)" : "")
            page.item((line.verb, line.isUnknown ? .warning : .name), (" ", .plain), words: Self.safe(words))
        }
        let more = lines.dropFirst(Self.storeLines).reduce(0) { $0 + $1.count }
        if more > 0 { page.paragraph("… and \(HumanNumber.count(more, "other store"))") }
        if let code = diagnosis.ownCode, code != .asks {
            let isMirrored = diagnosis.stores.contains { $0.syncs == true }
            page.paragraph("\(Self.sentence(code))\(isMirrored ? " too" : "").")
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
    private var nothingFound: String {
        var text = "Nothing was found that syncs by CloudKit"
        if let app = diagnosis.entitledApp {
            text += ", though \(app) has it in its entitlements: what syncs may be in a package that was not read"
        }
        return text + (diagnosis.usesKeyValueStore ? ". Values are kept by NSUbiquitousKeyValueStore, which syncs by itself." : ".")
    }

    /// The lines that stores may fill.
    private static let storeLines = 4

    /// The fields of a store or a log by their bytes.
    private static func drawSizes(_ measurement: Measurement, on page: inout Page) {
        page.title("Sizes in " + safe(measurement.source))
        page.line("  " + safe(measurement.sentence))
        let shown = measurement.largestFields.prefix(12)
        let names = shown.map { EventText.name($0.type + "." + $0.name) }
        let nameWidth = min(names.map(TerminalText.width).max() ?? 0, 40)
        for (name, entry) in zip(names, shown) {
            let field = entry.field
            let label = TerminalText.padded(TerminalText.truncated(name, to: nameWidth), to: nameWidth)
            let columns = [field.bytes.megabytes, "\(HumanNumber.count(field.values, "value"))", "\(field.largest.megabytes) at most"]
            page.line("  \(label)  \(columns.joined(separator: ", "))\(field.isAsset ? ", beside the record" : "")")
        }
        if measurement.largestFields.count > shown.count {
            page.line("  … and \(HumanNumber.count(measurement.largestFields.count - shown.count, "other field"))")
        }
    }

    /// The lines that rules may fill, so that the rest still fits the screen.
    private static let ruleLines = 4

    private func drawRules(_ layout: PageLayout, on page: inout Page) {
        if diagnosis.findings.isEmpty { return }
        page.lineBreak()
        var ids: [String] = []
        for finding in diagnosis.findings where !ids.contains(finding.rule + finding.severity.rawValue) {
            ids.append(finding.rule + finding.severity.rawValue)
        }
        var rules = Page()
        for (index, id) in ids.enumerated() {
            let findings = diagnosis.findings.filter { $0.rule + $0.severity.rawValue == id }
            guard let first = findings.first else { continue }
            let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
            var longer = rules
            longer.item(
                (TerminalText.padded(first.severity.rawValue, to: 8), first.severity.tone),
                words: Self.safe("\(first.location.shortText) \(first.message)\(more)"))
            // The last may take the line that would say that there is one more.
            let isLast = index == ids.count - 1
            guard index == 0 || longer.lineCount(width: layout.width) <= Self.ruleLines + (isLast ? 1 : 0) else {
                rules.paragraph("… and \(HumanNumber.count(ids.count - index, "other rule"))")
                break
            }
            rules = longer
        }
        page.add(rules)
    }

    private static func drawRule(of finding: Finding, on page: inout Page) {
        guard let rule = Rule.all.first(where: { $0.id == finding.rule }) else { return }
        page.lineBreak()
        page.line(
            (finding.severity.rawValue, finding.severity.tone), (" ", .plain), (rule.title, .strong), ("  [\(rule.id)]", .aside))
        page.paragraph(safe(rule.consequence), indentation: 2)
        if let printed = rule.frameworkText { page.paragraph(safe("It prints: " + printed), indentation: 2) }
        if let source = rule.source { page.paragraph(safe("Source: " + source), indentation: 2, wide: .whole) }
    }

    private func drawChecklist(_ layout: PageLayout, on page: inout Page) {
        guard diagnosis.syncs || !diagnosis.stores.isEmpty else { return }
        page.lineBreak()
        for item in diagnosis.checklist {
            let label = TerminalText.padded(item.state == .unknown ? "look" : item.state.rawValue, to: 5)
            let mark: Page.Span = (label, item.state == .no ? .warning : item.state == .yes ? .good : .aside)
            if layout.width >= 70 {
                page.item(mark, (TerminalText.padded(item.title, to: 40) + " ", .plain), words: Self.safe(item.detail))
            } else {
                page.item(mark, words: Self.safe("\(item.title): \(item.detail)"))
            }
        }
    }

    private func drawSuitability(on page: inout Page) {
        guard diagnosis.syncs || !diagnosis.stores.isEmpty else { return }
        page.lineBreak()
        page.paragraph(Self.safe("CloudKit or not? " + diagnosis.suitability))
    }
}

extension Rule.Severity {
    fileprivate var tone: Tone {
        switch self {
        case .error: .bad
        case .warning: .warning
        case .advice: .name
        }
    }
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
