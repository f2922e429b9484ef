/// A scenario that a person works through with two devices, and that their logs are judged by.
package enum Scenario: String, Hashable, Sendable, CaseIterable {
    /// One edit while both apps are open.
    case singleEdit = "single-edit"
    /// Many edits in a row.
    case rapidBatch = "rapid-batch"
    /// Edits while the other device is in the background.
    case background
    /// Edits without a network.
    case airplaneMode = "airplane-mode"
    /// Both devices edit one field.
    case simultaneousEdits = "simultaneous-edits"
    /// Both devices edit different fields of one record.
    case differentFields = "different-fields"
    /// One device deletes what the other edits.
    case deleteAndEdit = "delete-and-edit"
    /// Both devices edit while one has no network.
    case partition

    /// What the person does.
    package var steps: String {
        switch self {
        case .singleEdit: "With both apps open, edit one record on one device, and wait."
        case .rapidBatch: "With both apps open, make 5 or more edits on one device within a few seconds, and wait."
        case .background: "Put the app on one device in the background for 30 s or more, edit on the other, and open it again."
        case .airplaneMode: "Turn on airplane mode on one device, edit there, and turn it off again."
        case .simultaneousEdits: "Without a network on both, edit one field of one record on each, and connect both again."
        case .differentFields: "Without a network on both, edit different fields of one record, and connect both again."
        case .deleteAndEdit: "Without a network on both, delete a record on one and edit it on the other, and connect both again."
        case .partition: "Without a network on one, make 3 edits there and 2 on the other, and connect it again."
        }
    }
}

/// What logs say of a scenario.
package struct ScenarioVerdict: Hashable, Sendable {
    /// How it ended.
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// It was seen, and everything arrived in time and alike.
        case passed
        /// It was seen, and something did not.
        case failed
        /// The logs do not tell of it, or not yet of its end.
        case notSeen = "not_seen"
    }

    /// The scenario.
    package let scenario: Scenario
    /// How it ended.
    package let outcome: Outcome
    /// What was seen, each sentence with the location of its line, without the full stop; nothing in them acts on a terminal.
    package let evidence: [String]

    /// A verdict.
    package init(scenario: Scenario, outcome: Outcome, evidence: [String]) {
        self.scenario = scenario
        self.outcome = outcome
        self.evidence = evidence
    }
}
