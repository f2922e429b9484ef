/// `syncaudit simulate`: logs of devices that never were.
enum SimulateVerb {
    /// Where the simulated devices keep their data.
    enum Store: String, Hashable, Sendable, CaseIterable {
        case memory
        case sqlite
    }

    static let definition = VerbDefinition(
        name: "simulate",
        summary: "Lets simulated devices edit and sync over a bad network, and writes their logs.",
        discussion: [
            """
            Replicas, stores, hub and syncs are real; time, network, clocks and crashes are made up. The same options give the same files, byte for \
            byte. The directory gets a log for each device, such as iPhone-1.jsonl, and the hub's writes in trace.jsonl.
            """,
            """
            At the end every device syncs until nothing moves, and what must hold then is checked; the command ends with 1 where it does not. It may not \
            where stores are put back or copied and hubs put back or replaced in one run: a number that both have forgotten is given twice.
            """,
        ],
        operands: "",
        options: [
            .value("seed", "N", .positiveInteger, help: "Decides everything that is left to chance: 1 unless given."),
            .value("devices", "N", .positiveInteger, help: "How many devices there are: 3 unless given."),
            .value("steps", "N", .positiveInteger, help: "How many edits, syncs and faults there are: 200 unless given."),
            .value("records", "N", .positiveInteger, help: "How many records are edited: 12 unless given."),
            .value("partitions", "P", .probability, help: "How likely a step cuts a device off for a while: 0.05 unless given."),
            .value("loss", "P", .probability, help: "How likely a message is lost: 0.05 unless given."),
            .value("duplicates", "P", .probability, help: "How likely a request comes twice: 0.05 unless given."),
            .value("skew", "TIME", .duration, help: "How far clocks may be off, either way: 2s unless given."),
            .value("crashes", "P", .probability, help: "How likely a step ends a device's program soon: 0.02 unless given."),
            .value(
                "store-restores", "P", .probability,
                help: "How likely a step puts a device's store back from a backup: 0 unless given, as for the next four."),
            .value("store-copies", "P", .probability, help: "How likely a step copies a store to a device that lives on beside the first."),
            .value("hub-restores", "P", .probability, help: "How likely a step puts the hub back from a backup."),
            .value("hub-replacements", "P", .probability, help: "How likely a step puts an empty hub in the hub's place."),
            .value("forgotten", "P", .probability, help: "How likely a step lets the hub forget a device, which comes back."),
            .value(
                "store", "STORE", .choice(Store.allCases.map(\.rawValue)),
                help: "Where data is kept: memory unless given, or in SQLite files in the directory."),
            .value(
                "policy", "NAME", .policy,
                help: "Which of several concurrent writes is shown. Unless given, there is a record type for each policy."),
            .policyFor,
            .deletes,
            .value("output", "DIRECTORY", short: "o", .path, help: "Where the files go: a directory that is empty or not there yet."),
        ],
        examples: [
            .init("syncaudit simulate --output logs", "Three devices, a few faults of every kind."),
            .init(
                "syncaudit simulate --seed 7 --crashes 0.1 --store sqlite -o crashes",
                "Programs that end at every tenth step, on stores that are opened again."),
            .init(
                "syncaudit simulate --store-restores 0.05 --store-copies 0.02 -o restored",
                "Stores that are put back and copied; a copy logs as iPhone-1-copy-1.jsonl."),
            .init(
                "syncaudit simulate --policy last-writer-wins --skew 1h -o skewed",
                "Clocks that are wrong; 'syncaudit audit skewed/trace.jsonl' shows what is lost."),
        ])
}
