import AuditAnalysis
import AuditChecking
import AuditReport

/// `syncaudit verify`: whether two devices have passed the scenarios that somebody worked through with them.
enum VerifyVerb {
    static let definition = VerbDefinition(
        name: "verify",
        summary: "Judges scenarios worked through with two devices: passed, failed or not seen, by their logs.",
        discussion: [
            """
            Name the logs of the devices that somebody has just worked through the scenarios with. Of each scenario the latest occurrence counts; the \
            evidence names file and line. A write has arrived on another device when that device's log tells of a merge after it; --within is how long \
            that may take, from the edit, from the return to the foreground or from the end of the time without a network.
            """,
            """
            Scenarios: \(Scenario.allCases.map(\.rawValue).joined(separator: ", ")). The first five are the usual matrix of a sync: one \
            edit, many in a row, the \
            other device in the background, airplane mode, and edits of both at once.
            """,
            """
            What the logs do not say is not guessed: an app is taken to be open where its log has lines, in the background where it is silent for 30 s, and \
            without a network where a network line, or without such lines a failed sync, says so. Logs that name no writes leave all but the conflicts unseen. \
            The command ends with 1 where a scenario failed, also after -f.
            """,
        ],
        operands: "FILES…",
        options: [
            .value(
                "scenario", "NAME", .choice(Scenario.allCases.map(\.rawValue)), isRepeatable: true, help: "Judges this scenario alone."),
            .value("within", "TIME", .duration, help: "How long an arrival may take: 1m unless given."),
            .flag("follow", short: "f", help: "Reads on as the logs grow, and tells what to do next and what was seen."),
            .value("format", "FORMAT", .choice(AnswerFormat.allCases.map(\.rawValue)), help: "What is written: text unless given."),
            .color, .config,
        ],
        examples: [
            .init("syncaudit verify phone.jsonl pad.jsonl", "Which scenarios have passed?"),
            .init("syncaudit verify -f logs/", "A guide: what to do next, and what was seen of it."),
        ])
}
