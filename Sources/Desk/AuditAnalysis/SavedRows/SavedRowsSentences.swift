import ConflictAudit
import SyncBytes
import SyncModel

/// What an audit of saved rows says beside the losses: how many there are, by what they are known, and what would have kept them.
package struct SavedRowsSentences {
    private let result: SavedRowsAudit.Result

    /// Puts a result into words.
    package init(_ result: SavedRowsAudit.Result) { self.result = result }

    /// The sentences, without full stops, the most important first.
    package var all: [String] { [finding] + servers + [unknown, bases, remedy].compactMap { $0 } }

    /// How many types are told of.
    private static let mostTypes = 8

    /// What the server keeps, of each type; of many those that lost most.
    private var servers: [String] {
        let types = result.evidence.ordered { ($1.losses, $0.type) < ($0.losses, $1.type) }
        let others = types.count - Self.mostTypes
        let rest = others > 0 ? ["\(HumanNumber.count(others, "more type")) were judged in the same way"] : []
        return types.prefix(Self.mostTypes).map(server) + rest
    }

    /// Of which saves nobody can say what they took away.
    private var unknown: String? {
        var parts: [String] = []
        if result.unsigned > 0 {
            parts.append("\(HumanNumber.count(result.unsigned, "row")) \(result.unsigned == 1 ? "names" : "name") no author")
        }
        if result.missing > 0 {
            parts.append("\(HumanNumber.count(result.missing, "version")) \(result.missing == 1 ? "has" : "have") no row, as old rows tell")
        }
        if result.ends > 0 {
            parts.append(
                "\(HumanNumber.count(result.ends, "delete")) \(result.ends == 1 ? "is" : "are") told by the end of a version alone")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", and ") + ": what was taken away there is not known"
    }

    /// How much was read, and what was lost.
    package var finding: String {
        let losses = result.conflicts.map(\.conflict)
        var sentence = "\(HumanNumber.count(result.rows, "row")) of \(HumanNumber.count(result.records, "record")) by "
        sentence += "\(HumanNumber.count(result.authors, "author")): "
        guard !losses.isEmpty else { return sentence + "no edit is known to be lost" }
        let proven = losses.count(where: \.isProven)
        sentence += "\(HumanNumber.count(losses.count, "edit")) \(proven == losses.count ? "" : "perhaps ")lost: "
        if proven > 0, proven < losses.count {
            sentence = String(sentence.dropLast("perhaps lost: ".count)) + "lost, \(HumanNumber.count(proven)) of them proven: "
        }
        return sentence + SavedLossKind.sentence(losses)
    }

    private func server(_ evidence: SavedRowsAudit.TypeEvidence) -> String {
        if evidence.keeping == .laterEdits {
            return
                "the rows\(result.evidence.count > 1 ? " of \(evidence.type.rawValue.quoted)" : "") are what devices sent, not what the server kept: "
                + "later rows go on from what all of them make together. They were merged by the later edit; --keeps whole says otherwise"
        }
        let type = result.evidence.count > 1 ? " of \(evidence.type.rawValue.quoted)" : ""
        let other: SavedRowsAudit.Keeping = evidence.keeping == .wholeRows ? .mergedFields : .wholeRows
        let option = "--keeps \(other.rawValue) says otherwise"
        guard evidence.putBack + evidence.kept + evidence.cameBack > 0 || evidence.isStated else {
            // Of what is suspected by its times alone the counts say nothing.
            let counts = "\(HumanNumber.count(evidence.losses, "edit")) lost, otherwise \(HumanNumber.count(evidence.lossesOtherwise))"
            return
                "whether the server keeps rows\(type) as they come or merges the edited fields, the rows do not tell; taken is that it keeps "
                + "rows as they come\(evidence.losses == 0 && !result.conflicts.isEmpty ? "" : " (\(counts))"): \(option)"
        }
        let what = evidence.keeping == .wholeRows ? "keeps rows\(type) as they come" : "merges the edited fields\(type)"
        if evidence.isStated { return "as stated, the server \(what)" }
        if evidence.putBack + evidence.kept == 0 {
            return "the server \(what): in \(HumanNumber.count(evidence.cameBack, "save")) that edited a field another came back with "
                + "an old value; \(option)"
        }
        return "the server \(what): by saves that had not seen them, \(HumanNumber.count(evidence.putBack, "edit")) of other fields "
            + "\(evidence.putBack == 1 ? "was" : "were") put back and \(HumanNumber.count(evidence.kept)) outlived; \(option)"
    }

    private var bases: String? {
        let all = HumanNumber.count(result.saves, "save")
        if result.saves > 0, result.told == result.saves {
            return "each of \(all) tells the version that its author had been looking at, so that what is found is proven"
        }
        let told =
            result.told == 0
            ? "none of \(all) tells the version that its author had been looking at"
            : "\(HumanNumber.count(result.told)) of \(all) tell the version that their authors had been looking at"
        let rest = result.hasBothClocks ? "what rows repeat and both clocks" : "what rows repeat"
        let others = result.told == 0 ? "" : "of the others "
        return told + "; \(others)it is suspected by \(rest). An app that sends it, as in If-Match, makes that proof"
    }

    /// What sending changed fields alone, and a check of the base, would have kept.
    private var remedy: String? {
        let losses = result.conflicts.map(\.conflict)
        guard !losses.isEmpty, result.staleSaves > 0 else { return nil }
        let putBack = losses.count { SavedLossKind($0) == .putBack }
        let changed = putBack == 0 ? "" : "sending changed fields alone would have kept \(HumanNumber.count(putBack)) of them; "
        return changed
            + "a server that checks the base (409) would have caught all, by refusing \(HumanNumber.count(result.staleSaves)) of "
            + "\(HumanNumber.count(result.saves, "save"))"
    }
}
