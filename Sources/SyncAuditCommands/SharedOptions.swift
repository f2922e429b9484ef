/// The options that mean the same wherever they stand.
extension OptionDefinition {
    /// Of every verb that draws for a terminal.
    static let color = value(
        "color", "WHEN", .choice(ColorChoice.allCases.map(\.rawValue)),
        help: "Whether to use colours: auto unless given, which means on a terminal where NO_COLOR is not set.")

    /// Of every verb that writes one result.
    static let output = value(
        "output", "FILE", short: "o", .path, help: "Writes to a file, complete or not at all, instead of standard output.")

    /// Of every verb that merges by one set of rules, as the next.
    static let policyFor = value(
        "policy-for", "TYPE.FIELD=NAME", .assignment(AssignmentForm(allowsType: true, value: .policy)), isRepeatable: true,
        help: "The policy of one field, or as TYPE=NAME of a type.")

    static let deletes = value(
        "deletes", "RULE", .choice(["delete-wins", "edit-wins", "last-writer-wins"]),
        help: "What becomes of a delete and a concurrent edit.")
}
