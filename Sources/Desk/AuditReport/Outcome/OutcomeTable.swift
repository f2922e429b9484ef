package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// Draws what an outcome tells of the policies for a person at a terminal.
///
/// Names and values from data are escaped, so that nothing in them acts on the terminal. The same result always gives the same text.
package struct OutcomeTable: Sendable {
    private let layout: PageLayout

    /// A renderer.
    package init(_ layout: PageLayout = PageLayout()) { self.layout = layout }

    /// The verdict, what it is made from and what contradicts it, lines ended by line feeds.
    package func render(_ result: OutcomeResult) -> String {
        var page = ReportPage(width: layout.width, style: layout.style)
        page.paragraph(
            "\(HumanNumber.count(result.writes, "write")) decided under \(HumanNumber.count(result.policies.count, "policy", "policies")) and "
                + "compared with \(HumanNumber.count(result.rows, "final row"))", layout.style.bold)
        page.lineBreak()
        for type in result.types { draw(type, result.policies, on: &page) }
        for type in result.typesNotHeld {
            page.paragraph("\(type.rawValue.escaped(for: .terminal)): there is no row of this type, so that nothing is compared.") { $0 }
        }
        var text = page.text
        if let table = fields(result) { text += "\n" + table }
        text += rest(result)
        return text
    }

    // MARK: The verdict

    private func draw(_ type: OutcomeResult.TypeResult, _ policies: [String], on page: inout ReportPage) {
        let name = type.type.rawValue.escaped(for: .terminal)
        guard type.total.differing + type.total.alike > 0 else {
            page.paragraph(
                "\(name): the trace has no record of this type, so that \(HumanNumber.count(type.rowsOfOthers, "row")) cannot be compared."
            ) { $0 }
            return
        }
        page.paragraph(verdict(type, name, policies.map { $0.escaped(for: .terminal) }), layout.style.bold)
        for sentence in evidence(type, policies.map { $0.escaped(for: .terminal) }) { page.paragraph(sentence, indentation: 2) { $0 } }
    }

    private func verdict(_ type: OutcomeResult.TypeResult, _ name: String, _ policies: [String]) -> String {
        let (total, best) = (type.total, type.best)
        if total.differing == 0 {
            return "\(name): the policies differ in no field, so that the outcome cannot tell any of them from another."
        }
        let all = total.differing == 1 ? "the 1 field" : "the \(HumanNumber.count(total.differing)) fields"
        guard let first = best.first else { return "\(name): no policy explains any of \(all) in which they differ." }
        let nature =
            switch type.mergesRecords {
            case true?: "is merged per record"
            case false?: "is merged per property"
            case nil: "may be merged per record or per property"
            }
        let count = total.agreeing(with: first)
        let share =
            count == total.differing
            ? (count == 1 ? all : "all \(HumanNumber.count(count)) fields") : "\(HumanNumber.count(count)) of \(all)"
        return "\(name) \(nature): \(Self.listed(best.map { policies[$0] })) \(best.count == 1 ? "explains" : "each explain") "
            + "\(share) in which the policies differ."
    }

    private func evidence(_ type: OutcomeResult.TypeResult, _ policies: [String]) -> [String] {
        var sentences: [String] = []
        if type.total.differing > 0 {
            for group in type.total.groups(of: policies.count) where group.count > 1 {
                sentences.append("The outcome cannot tell \(Self.listed(group.map { policies[$0] })) apart.")
            }
        }
        if type.deletesDiffering > 0 {
            let registers = HumanNumber.count(type.deletesDiffering, "field or record", "fields and records")
            let most = type.deletesAgreeing.values.max() ?? 0
            let rules = DeletePolicy.allCases.filter { type.deletesAgreeing[$0] == most }.map(\.rawValue)
            sentences.append(
                most == 0
                    ? "No rule for deletes explains any of the \(registers) in which the rules differ."
                    : "Deletes: \(Self.listed(rules)) \(rules.count == 1 ? "explains" : "each explain") \(HumanNumber.count(most)) of the \(registers) "
                        + "in which the rules for deletes differ.")
        }
        let (alike, agreeing) = (type.total.alike, type.total.alikeAgreeing)
        if alike > 0 {
            sentences.append(
                agreeing == alike
                    ? "Where the policies agree, so does the outcome, in \(HumanNumber.count(alike, "field"))."
                    : "Where the policies agree, the outcome agrees in \(HumanNumber.count(agreeing)) of \(HumanNumber.count(alike, "field")): the "
                        + "others were changed by something that is not in the trace.")
        }
        if !type.fieldsNotCompared.isEmpty {
            sentences.append(
                "Not compared, because the outcome lacks them or writes all their values in another way: \(names(type.fieldsNotCompared)).")
        }
        if !type.unknownFields.isEmpty { sentences.append("Only the outcome has these fields: \(names(type.unknownFields)).") }
        if type.rowsOfOthers > 0 {
            let count = HumanNumber.count(type.rowsOfOthers)
            sentences.append(
                "\(count) more \(type.rowsOfOthers == 1 ? "row is of a record" : "rows are of records") that the trace never writes.")
        }
        return sentences
    }

    private func names(_ fields: [FieldName]) -> String {
        let shown = fields.prefix(layout.top).map { $0.rawValue.escaped(for: .terminal) }.joined(separator: ", ")
        return fields.count > layout.top ? "\(shown) and \(HumanNumber.count(fields.count - layout.top)) more" : shown
    }

    // MARK: The evidence

    /// The fields that tell policies apart, those that tell most first; nil where there are none.
    private func fields(_ result: OutcomeResult) -> String? {
        var rows: [(name: String, tally: OutcomeTally)] = []
        for type in result.types where type.total.differing > 0 {
            let name = type.type.rawValue.escaped(for: .terminal)
            rows.append((name, type.total))
            let fields = type.fields.filter { $0.value.differing > 0 }
            rows += fields.ordered { ($1.value.differing, $0.key) < ($0.value.differing, $1.key) }.map {
                ("\(name).\($0.key.rawValue.escaped(for: .terminal))", $0.value)
            }
        }
        if rows.isEmpty { return nil }
        let letters = result.policies.indices.map(TextTable.letter)
        var table = TextTable(
            columns: [.init("Fields", isFlexible: true), .init("differ", alignment: .right)]
                + letters.map { TextTable.Column($0, alignment: .right) } + [.init("explained by")])
        for row in rows.prefix(layout.top) {
            let best = row.tally.best(of: letters.count).map { letters[$0] }.joined(separator: " or ")
            table.addRow(
                [row.name, HumanNumber.count(row.tally.differing)]
                    + letters.indices.map { HumanNumber.count(row.tally.agreeing(with: $0)) } + [best.isEmpty ? "none" : best])
        }
        let drawn = table.render(maximumWidth: layout.width)
        var page = ReportPage(width: layout.width, style: layout.style)
        if rows.count > layout.top { page.paragraph("\(HumanNumber.count(rows.count - layout.top)) more with --top.", layout.style.dim) }
        let legend = zip(letters, result.policies).map { "\($0) is \($1.escaped(for: .terminal))" }.joined(separator: ", ")
        page.paragraph(legend + ".", layout.style.dim)
        return layout.style.headed(drawn) + page.text
    }

    private func rest(_ result: OutcomeResult) -> String {
        var page = ReportPage(width: layout.width, style: layout.style)
        page.lineBreak()
        if result.unexplainedCount == 0 {
            page.paragraph("Every row that was compared is explained by one of the policies, field by field.", layout.style.green)
        } else {
            page.paragraph("\(HumanNumber.count(result.unexplainedCount, "row")) that no policy explains", layout.style.bold)
            for row in result.unexplained.prefix(layout.top) { draw(row, on: &page) }
            let more = result.unexplainedCount - min(layout.top, result.unexplained.count)
            if more > 0 { page.paragraph("\(HumanNumber.count(more)) more with --top.", layout.style.dim) }
        }
        page.lineBreak()
        drawLost(result, on: &page)
        return page.text
    }

    private func draw(_ row: OutcomeResult.UnexplainedRow, on page: inout ReportPage) {
        let key = Self.name(row.key)
        for field in row.fields.prefix(layout.top) {
            guard let name = field.name else {
                let sentence = field.shown == .bool(true) ? "is there, but was deleted" : "is not there, but was not deleted"
                page.paragraph("\(key) \(sentence)", indentation: 2) { $0 }
                continue
            }
            let (shown, expected) = (field.shown.map(ValueDifference.plain), field.expected.map(ValueDifference.plain))
            page.paragraph(
                "\(key): \(name.rawValue.escaped(for: .terminal)) is \(shown ?? "not there"), should be \(expected ?? "gone")",
                indentation: 2
            ) { $0 }
        }
        if row.fields.count > layout.top {
            page.paragraph("and \(HumanNumber.count(row.fields.count - layout.top, "more field")) of it", indentation: 4) { $0 }
        }
    }

    /// What was lost, no matter by which policy: the outcome is known.
    private func drawLost(_ result: OutcomeResult, on page: inout ReportPage) {
        let (proven, suspected) = (result.lost - result.suspected, result.suspected)
        if result.lost > 0 {
            page.paragraph(Self.lossSentence(proven: proven, suspected: suspected), proven > 0 ? layout.style.red : layout.style.yellow)
            drawLostFields(result, on: &page)
            for edit in result.gone { draw(edit, on: &page) }
            let more = result.lost - result.gone.count
            if more > 0 { page.paragraph("\(HumanNumber.count(more)) more with --top.", indentation: 2, layout.style.dim) }
        } else if !result.isConclusive {
            page.paragraph("No edit is known to be lost\(result.evidence.impossibility.map { ": " + $0 } ?? "").", layout.style.yellow)
        } else {
            let scope = result.isComplete ? "No" : "Of what was compared and is explained, no"
            page.paragraph("\(scope) edit was lost: each is in the outcome, or was replaced by a writer who had seen it.") { $0 }
        }
        for sentence in caveats(result) { page.paragraph(sentence, layout.style.yellow) }
    }

    private static func lossSentence(proven: Int, suspected: Int) -> String {
        let (were, them) = proven + suspected == 1 ? ("was", "it") : ("were", "them")
        let end = "and the outcome shows something else"
        if suspected == 0 { return "\(HumanNumber.count(proven, "edit")) \(were) lost: no later writer had seen \(them), \(end)" }
        let reason = "no writer who is known to have seen \(them) replaced \(them), \(end)"
        if proven == 0 { return "\(HumanNumber.count(suspected, "edit")) may have been lost, suspected and not proven: \(reason)" }
        let lost = "\(HumanNumber.count(proven, "edit")) \(proven == 1 ? "was" : "were") lost"
        return "\(lost), and \(HumanNumber.count(suspected)) more may have been, suspected and not proven: \(reason)"
    }

    private func drawLostFields(_ result: OutcomeResult, on page: inout ReportPage) {
        var lost: [(field: ConflictStatistics.FieldKey, count: Int)] = []
        for type in result.types {
            for (name, count) in type.lost { lost.append((ConflictStatistics.FieldKey(type: type.type, field: name), count)) }
        }
        lost.sort { $0.count == $1.count ? $0.field < $1.field : $0.count > $1.count }
        var shown = lost.prefix(layout.top).map { field, count in
            "\("\(field.type).\(field.field?.rawValue ?? "")".escaped(for: .terminal)) \(HumanNumber.count(count))"
        }.joined(separator: ", ")
        if lost.count > layout.top { shown += " and \(HumanNumber.count(lost.count - layout.top, "more field")) with --top" }
        page.paragraph(shown, indentation: 2) { $0 }
    }

    private func draw(_ edit: OutcomeResult.GoneEdit, on page: inout ReportPage) {
        let (write, field) = (edit.write, edit.field.rawValue.escaped(for: .terminal))
        let value = write.value(of: edit.field).flatMap { $0 == .null ? nil : ValueDifference.plain($0) }
        let device = write.dot.device.rawValue.escaped(for: .terminal)
        var sentence = "\(Self.name(write.key)): \(field) was \(value ?? "removed") by \(device) at "
        sentence += RFC3339.string(milliseconds: write.timestamp.milliseconds)
        sentence += ", is \(edit.shown.map(ValueDifference.plain) ?? "not there")"
        if let other = edit.putBackBy { sentence += ", put back by \(other.rawValue.escaped(for: .terminal))" }
        page.paragraph(sentence + (edit.isProven ? "" : "; suspected"), indentation: 2) { $0 }
    }

    /// Why more may have been lost than is told.
    private func caveats(_ result: OutcomeResult) -> [String] {
        var sentences = [result.contextSentence, result.evidence.disorderSentence].compactMap { $0.map { $0 + "." } }
        if result.openWrites > 0 {
            let count = HumanNumber.count(result.openWrites, "write")
            let verb = result.openWrites == 1 ? "names" : "name"
            sentences.append("\(count) \(verb) others as seen that the trace lacks, so what was edited there is not proven.")
        }
        return sentences
    }

    private static func name(_ key: RecordKey) -> String {
        "\(key.type.rawValue.escaped(for: .terminal)) \(TerminalText.shortened(key.id.rawValue.quoted, to: 40))"
    }

    private static func listed(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
