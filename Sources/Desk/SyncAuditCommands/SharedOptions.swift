import AuditLog
import SyncMerge

/// The options that mean the same for every verb.
extension OptionDefinition {
    /// Of every verb that draws for a terminal.
    static let color = value(
        "color", "WHEN", .choice(ColorChoice.allCases.map(\.rawValue)),
        help: "Whether to use colours: auto unless given, which means on a terminal where NO_COLOR is not set.")

    /// Of every verb that counts what logs tell.
    static let allCopies = flag(
        "all-copies", help: "Counts every line, also where several devices logged one conflict or one write, which otherwise counts once.")

    /// Of every verb that shows records to a person.
    static let name = value(
        "name", "TYPE=FIELD", .displayField, isRepeatable: true,
        help: """
            The field by whose value people know the records of a type, or as TYPE.FIELD, or as FIELD of every type: it is shown instead of the \
            identity.
            """)

    /// Of every verb that reads logs or traces.
    static let config = value(
        "config", "FILE", .path,
        help: """
            What rules, names and logs to use: none, or a file instead of the nearest \(AuditConfiguration.fileName) of the working directory and the \
            folders around it. Options come before what it says.
            """)

    /// Of every verb that writes one result.
    static let output = value(
        "output", "FILE", short: "o", .path, help: "Writes to a file, complete or not at all, instead of standard output.")

    /// Of every verb that merges by one set of rules, as the next.
    static let policyFor = value(
        "policy-for", "TYPE.FIELD=NAME", .assignment(AssignmentForm(allowsType: true, value: .policy)), isRepeatable: true,
        help: "The policy of one field, or as TYPE=NAME of a type.")

    static let unique = value(
        "unique", "TYPE.FIELD", .field, isRepeatable: true,
        help: "A field whose value no two records of a type may share, or as FIELD that of every type.")

    static let reference = value(
        "reference", "TYPE.FIELD=TYPE", .assignment(AssignmentForm(value: .text)), isRepeatable: true,
        help: "A field that holds the identity of a record of another type, or as FIELD=TYPE that of every type.")

    static let wholeRecords = flag(
        "whole-records",
        help: """
            Reads each put as the difference to what its writer had seen: for apps that save all fields of a record when one was edited.
            """)

    static let wholeRecordsOf = value(
        "whole-records-of", "TYPE", .name(.types), isRepeatable: true, help: "The same for the records of one type.")

    static let bookkeeping = value(
        "bookkeeping", "TYPE.FIELD", .field, isRepeatable: true,
        help: """
            A field that nobody edits and every save moves, as a version that it counts up, or as FIELD that of every type: no edit is lost there. Of the \
            time of a save this is known.
            """)

    static let window = value(
        "window", "TIME", .duration,
        help: """
            How close writes of different devices that do not say what their writers had seen must be to be suspected, and the timestamps of a proven \
            conflict to count as within the window: 5m unless given.
            """)

    static let tolerance = value(
        "tolerance", "TIME", .duration,
        help:
            "By how much a device's clock may differ from the hub's: 2s unless given. It matters where lines tell when the hub received a write."
    )

    static let deletes = value(
        "deletes", "RULE", .choice(DeletePolicy.allCases.map(\.rawValue)),
        help: "What becomes of a delete and a concurrent edit.")
}
