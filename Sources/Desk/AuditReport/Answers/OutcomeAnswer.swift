package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// What an outcome tells of the policies.
package struct OutcomeAnswer: Answer {
    private let result: OutcomeResult

    /// The answer to a comparison.
    package init(_ result: OutcomeResult) { self.result = result }

    // MARK: For programs

    package var document: Document {
        let evidence = result.evidence
        return [
            "outcome": 1, "writes": result.writes, "writesWithoutContext": evidence.contexts.withoutContext,
            "isConclusive": result.isConclusive, "isDisordered": evidence.isDisordered, "impossibility": evidence.impossibility,
            "evidence": result.contextSentence, "openWrites": result.openWrites, "isComplete": result.isComplete, "rows": result.rows,
            "rowsRepeated": result.repeats, "editsLost": result.lost, "editsSuspected": result.suspected,
            "lost": Rows(result.gone) { edit in
                let write = edit.write
                let value = write.value(of: edit.field)
                return [
                    "recordType": write.key.type, "recordID": write.key.id, "field": edit.field, "device": write.dot.device,
                    "n": write.dot.sequence, "ts": Time(write.timestamp.milliseconds), "value": value == .null ? nil : value,
                    "outcome": edit.shown, "proven": edit.isProven, "putBackBy": edit.putBackBy,
                ]
            },
            "policies": result.policies, "types": Rows(result.types) { document($0) }, "typesNotHeld": result.typesNotHeld,
            "unexplained": [
                "rows": result.unexplainedCount,
                "listed": Rows(result.unexplained) { row in
                    [
                        "recordType": row.key.type, "recordID": row.key.id,
                        "fields": Rows(row.fields) { ["field": $0.name, "outcome": $0.shown, "expected": $0.expected] },
                    ]
                },
            ] as Document,
        ]
    }

    private func document(_ type: OutcomeResult.TypeResult) -> Document {
        let groups = type.total.groups(of: result.policies.count).filter { $0.count > 1 }
        return Document(
            [
                "recordType": type.type, "rows": type.rows, "rowsOfOtherRecords": type.rowsOfOthers, "perRecord": type.mergesRecords,
            ],
            document(type.total),
            [
                "editsLost": type.lost.values.reduce(0, +), "editsSuspected": type.suspected.values.reduce(0, +),
                "notToldApart": groups.map { $0.map { result.policies[$0] } },
                "deletes": [
                    "best": type.deletes.rawValue, "differing": type.deletesDiffering, "agreeing": Document(counts: type.deletesAgreeing),
                ] as Document,
                "unknownFields": type.unknownFields, "fieldsNotCompared": type.fieldsNotCompared,
                "byField": Rows(type.fields.ordered { $0.key < $1.key }) { name, tally in
                    Document(
                        ["field": name], document(tally), ["editsLost": type.lost[name] ?? 0, "editsSuspected": type.suspected[name] ?? 0])
                },
            ])
    }

    private func document(_ tally: OutcomeTally) -> Document {
        let policies = result.policies
        return [
            "differing": tally.differing, "agreeing": policies.indices.map { tally.agreeing(with: $0) },
            "best": tally.best(of: policies.count).map { policies[$0] }, "alike": tally.alike, "alikeAgreeing": tally.alikeAgreeing,
        ]
    }

    // MARK: For a person

    /// The verdict, what it is made from and what contradicts it.
    package func page(_ layout: PageLayout) -> Page {
        var page = Page()
        page.headline(
            "\(HumanNumber.count(result.writes, "write")) decided under \(HumanNumber.count(result.policies.count, "policy", "policies")) and "
                + "compared with \(HumanNumber.count(result.rows, "final row"))")
        page.lineBreak()
        for type in result.types { draw(type, layout, on: &page) }
        for type in result.typesNotHeld {
            page.paragraph("\(type.rawValue.escaped(for: .terminal)): there is no row of this type, so that nothing is compared.")
        }
        drawFields(layout, on: &page)
        page.lineBreak()
        drawUnexplained(layout, on: &page)
        page.lineBreak()
        drawLost(layout, on: &page)
        return page
    }

    private func draw(_ type: OutcomeResult.TypeResult, _ layout: PageLayout, on page: inout Page) {
        let name = type.type.rawValue.escaped(for: .terminal)
        guard type.total.differing + type.total.alike > 0 else {
            page.paragraph(
                "\(name): the trace has no record of this type, so that \(HumanNumber.count(type.rowsOfOthers, "row")) cannot be compared."
            )
            return
        }
        let policies = result.policies.map { $0.escaped(for: .terminal) }
        page.headline(verdict(type, name, policies))
        for sentence in evidence(type, policies, layout) { page.paragraph(sentence, indentation: 2) }
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

    private func evidence(_ type: OutcomeResult.TypeResult, _ policies: [String], _ layout: PageLayout) -> [String] {
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
                "Not compared, because the outcome lacks them or writes all their values in another way: \(names(type.fieldsNotCompared, layout))."
            )
        }
        if !type.unknownFields.isEmpty { sentences.append("Only the outcome has these fields: \(names(type.unknownFields, layout)).") }
        if type.rowsOfOthers > 0 {
            let count = HumanNumber.count(type.rowsOfOthers)
            sentences.append(
                "\(count) more \(type.rowsOfOthers == 1 ? "row is of a record" : "rows are of records") that the trace never writes.")
        }
        return sentences
    }

    private func names(_ fields: [FieldName], _ layout: PageLayout) -> String {
        let shown = fields.prefix(layout.top).map { $0.rawValue.escaped(for: .terminal) }.joined(separator: ", ")
        return fields.count > layout.top ? "\(shown) and \(HumanNumber.count(fields.count - layout.top)) more" : shown
    }

    // MARK: The evidence

    /// The fields that tell policies apart, those that tell most first.
    private func drawFields(_ layout: PageLayout, on page: inout Page) {
        var rows: [(name: String, tally: OutcomeTally)] = []
        for type in result.types where type.total.differing > 0 {
            let name = type.type.rawValue.escaped(for: .terminal)
            rows.append((name, type.total))
            let fields = type.fields.filter { $0.value.differing > 0 }
            rows += fields.ordered { ($1.value.differing, $0.key) < ($0.value.differing, $1.key) }.map {
                ("\(name).\($0.key.rawValue.escaped(for: .terminal))", $0.value)
            }
        }
        if rows.isEmpty { return }
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
        page.lineBreak()
        page.table(table)
        if rows.count > layout.top { page.paragraph("\(HumanNumber.count(rows.count - layout.top)) more with --top.", .aside) }
        let legend = zip(letters, result.policies).map { "\($0) is \($1.escaped(for: .terminal))" }.joined(separator: ", ")
        page.paragraph(legend + ".", .aside)
    }

    private func drawUnexplained(_ layout: PageLayout, on page: inout Page) {
        guard result.unexplainedCount > 0 else {
            page.paragraph("Every row that was compared is explained by one of the policies, field by field.", .good)
            return
        }
        page.headline("\(HumanNumber.count(result.unexplainedCount, "row")) that no policy explains")
        for row in result.unexplained.prefix(layout.top) { draw(row, layout, on: &page) }
        let more = result.unexplainedCount - min(layout.top, result.unexplained.count)
        if more > 0 { page.paragraph("\(HumanNumber.count(more)) more with --top.", .aside) }
    }

    private func draw(_ row: OutcomeResult.UnexplainedRow, _ layout: PageLayout, on page: inout Page) {
        let key = Self.name(row.key)
        for field in row.fields.prefix(layout.top) {
            guard let name = field.name else {
                let sentence = field.shown == .bool(true) ? "is there, but was deleted" : "is not there, but was not deleted"
                page.paragraph("\(key) \(sentence)", indentation: 2)
                continue
            }
            let (shown, expected) = (field.shown.map(ValueDifference.plain), field.expected.map(ValueDifference.plain))
            page.paragraph(
                "\(key): \(name.rawValue.escaped(for: .terminal)) is \(shown ?? "not there"), should be \(expected ?? "gone")",
                indentation: 2
            )
        }
        if row.fields.count > layout.top {
            page.paragraph("and \(HumanNumber.count(row.fields.count - layout.top, "more field")) of it", indentation: 4)
        }
    }

    /// What was lost, no matter by which policy: the outcome is known.
    private func drawLost(_ layout: PageLayout, on page: inout Page) {
        let (proven, suspected) = (result.lost - result.suspected, result.suspected)
        if result.lost > 0 {
            page.paragraph(Self.lossSentence(proven: proven, suspected: suspected), proven > 0 ? .bad : .warning)
            drawLostFields(layout, on: &page)
            for edit in result.gone { draw(edit, on: &page) }
            let more = result.lost - result.gone.count
            if more > 0 { page.paragraph("\(HumanNumber.count(more)) more with --top.", indentation: 2, .aside) }
        } else if !result.isConclusive {
            page.paragraph("No edit is known to be lost\(result.evidence.impossibility.map { ": " + $0 } ?? "").", .warning)
        } else {
            let scope = result.isComplete ? "No" : "Of what was compared and is explained, no"
            page.paragraph("\(scope) edit was lost: each is in the outcome, or was replaced by a writer who had seen it.")
        }
        for sentence in caveats { page.paragraph(sentence, .warning) }
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

    private func drawLostFields(_ layout: PageLayout, on page: inout Page) {
        var lost: [(field: ConflictStatistics.FieldKey, count: Int)] = []
        for type in result.types {
            for (name, count) in type.lost { lost.append((ConflictStatistics.FieldKey(type: type.type, field: name), count)) }
        }
        lost.sort { $0.count == $1.count ? $0.field < $1.field : $0.count > $1.count }
        var shown = lost.prefix(layout.top).map { field, count in
            "\("\(field.type).\(field.field?.rawValue ?? "")".escaped(for: .terminal)) \(HumanNumber.count(count))"
        }.joined(separator: ", ")
        if lost.count > layout.top { shown += " and \(HumanNumber.count(lost.count - layout.top, "more field")) with --top" }
        page.paragraph(shown, indentation: 2)
    }

    private func draw(_ edit: OutcomeResult.GoneEdit, on page: inout Page) {
        let (write, field) = (edit.write, edit.field.rawValue.escaped(for: .terminal))
        let value = write.value(of: edit.field).flatMap { $0 == .null ? nil : ValueDifference.plain($0) }
        let device = write.dot.device.rawValue.escaped(for: .terminal)
        var sentence = "\(Self.name(write.key)): \(field) was \(value ?? "removed") by \(device) at "
        sentence += RFC3339.string(milliseconds: write.timestamp.milliseconds)
        sentence += ", is \(edit.shown.map(ValueDifference.plain) ?? "not there")"
        if let other = edit.putBackBy { sentence += ", put back by \(other.rawValue.escaped(for: .terminal))" }
        page.paragraph(sentence + (edit.isProven ? "" : "; suspected"), indentation: 2)
    }

    /// Why more may have been lost than is told.
    private var caveats: [String] {
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
