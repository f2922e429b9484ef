package import ConflictAudit

/// How far the writes of a trace can tell of conflicts, in the words of every command that decides them.
package struct TraceEvidence: Hashable, Sendable {
    /// How many writes there are, and how many of them carry a causal context.
    package let contexts: AuditEvidence
    /// Why no two writes of the trace can be in conflict within a record, whatever their writers did, as a sentence's end; nil where they
    /// can.
    package let impossibility: String?
    /// Whether a write came after one whose writer had seen it, and was taken so.
    package let isDisordered: Bool

    /// What follows from the writes audited.
    ///
    /// - Parameters:
    ///   - writers: How many devices wrote.
    ///   - hasRepeatedRecord: Whether any record was written to more than once.
    ///   - isDisordered: Whether a write came after one whose writer had seen it, and was taken so.
    package init(_ contexts: AuditEvidence, writers: Int, hasRepeatedRecord: Bool, isDisordered: Bool = false) {
        (self.contexts, self.isDisordered) = (contexts, isDisordered)
        impossibility =
            if writers == 1 {
                "all writes are of one device, so that no two can conflict"
            } else {
                hasRepeatedRecord ? nil : "no record is written twice, so that no two writes can conflict"
            }
    }

    /// Whether two writes can be in conflict and every conflict is proven, so that what is not found did not happen.
    package var isConclusive: Bool { contexts.isWhole && impossibility == nil && !isDisordered }

    /// How many writes say what their writers had seen, and what follows from that; nil where all do, and where it does not matter since
    /// nothing could be found anyway.
    ///
    /// - Parameters:
    ///   - found: How many conflicts were found.
    ///   - source: What is suspected from.
    package func contextSentence(besides found: Int = 0, suspectedFrom source: String = "times alone") -> String? {
        contexts.isWhole || impossibility != nil && found == 0 ? nil : contexts.contextSentence(suspectedFrom: source)
    }

    /// That the order of the lines is not causal, and what follows from that; nil where it is.
    package var disorderSentence: String? {
        guard isDisordered else { return nil }
        return "Some lines come before a write that their writers had seen, and were taken in the order of the lines: what counts as lost "
            + "depends on that"
    }

    /// What was found, and what was looked for, as a sentence's end.
    ///
    /// - Parameter window: How near in time two writes without a causal context are suspected, in milliseconds.
    package func finding(_ statistics: ConflictStatistics, suspectedWithin window: Int64) -> String {
        let (total, lost) = (statistics.totalConflicts, statistics.dataLost)
        let suspected = statistics.byBasis.reduce(0) { $0 + ($1.key.isProof ? 0 : $1.value) }
        switch (total, suspected) {
        case (0, _):
            if let impossibility { return "no conflict: \(impossibility)" }
            if contexts.isWhole { return "no conflict; no edit lost" }
            let within = HumanNumber.duration(milliseconds: window)
            return "no conflict is \(contexts.withContext == 0 ? "" : "proven or ")suspected within \(within)"
        case (_, 0):
            let none = contexts.isWhole ? "no edit lost" : "no edit known to be lost"
            return HumanNumber.count(total, "conflict") + "; " + (lost == 0 ? none : "\(HumanNumber.count(lost, "edit")) lost")
        case (suspected, _):
            return HumanNumber.count(total, "conflict") + ", \(total == 1 ? "" : "all ")suspected (\(statistics.suspicionSources)); "
                + (lost == 0 ? "none of them would have lost an edit" : "\(HumanNumber.count(lost, "edit")) may have been lost")
        default:
            return HumanNumber.count(total, "conflict")
                + ", \(HumanNumber.count(suspected)) of them suspected (\(statistics.suspicionSources)); "
                + (lost == 0 ? "no edit known to be lost" : "\(HumanNumber.count(lost, "edit")) lost or perhaps lost")
        }
    }
}
