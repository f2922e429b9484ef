import SyncAuditCommands

/// A verb with an option of every sort.
let sampleVerb = VerbDefinition(
    name: "sample",
    summary: "Shows how the options of a verb are read and how its help is laid out, at some length so that it wraps.",
    discussion: ["A second paragraph."],
    operands: "[FILES…|-]",
    options: [
        .value("count", "N", short: "n", .positiveInteger, help: "How many."),
        .value("name", "NAME", isRepeatable: true, help: "A name."),
        .value("mode", "MODE", .choice(["fast", "slow"]), help: "How."),
        .value(
            "a-rather-long-option", "PLACEHOLDER", .duration, help: "How long, explained on a line of its own because the name is long."),
        .value("since", "TIME", .time(.start), help: "From when."),
        .value("until", "TIME", .time(.end), help: "Until when."),
        .value("unique", "TYPE.FIELD", .field, isRepeatable: true, help: "A field."),
        .value("policy", "NAME", .policy, help: "A policy."),
        .value("set", "RULE", .assignment(AssignmentForm(allowsType: true, value: .policy)), isRepeatable: true, help: "A rule."),
        .flag("lenient", short: "l", help: "Be lenient."),
        .flag("quiet", short: "q", help: "Be quiet."),
    ],
    examples: [.init("syncaudit sample -n 5 x", "Five of x.")])
