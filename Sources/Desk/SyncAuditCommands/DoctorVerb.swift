import AuditAnalysis
import AuditReport
import ProjectDoctor
import SyncBytes
import SyncModel
import SyncSystem
import TraceImport

/// `syncaudit doctor`: whether an app's project is set up to sync, and where sync will lose edits.
enum DoctorVerb {
    /// What the diagnosis is written as.
    enum Format: String, Hashable, Sendable, CaseIterable {
        case text
        case json
        case sarif
        case github
        case gitlab
        case markdown
    }

    static let definition = VerbDefinition(
        name: "doctor",
        summary: "Examines an app's project: will its data sync at all, and where will edits be lost?",
        discussion: [
            """
            Reads Xcode projects, a project.yml of XcodeGen, a Project.swift of Tuist or a Swift package: entitlements, information property \
            lists, build settings, data models, Swift sources, and CloudKit schemas exported as .ckdb. Nothing is built, executed or fetched. An \
            error is what the framework refuses or what surely loses data in the app that users get; a warning may do so; advice names fields \
            whose concurrent edits overwrite each other.
            """,
            """
            Only what reaches a store that syncs is judged; which stores those are, and why, is printed. What could not be parsed or decided is said with \
            --all, and never guessed.
            """,
            """
            A file .syncaudit.json in the project leaves findings out, each with a reason, and until a last day where it has "until": \
            {"doctor": {"ignore": [{"rule": "losses.list", "path": "Sources/Note.swift", "reason": "edited on one device alone"}]}}. With --baseline only what \
            is new is reported. The command ends with 1 where there are errors.
            """,
        ],
        operands: "[PROJECT]",
        options: [
            .flag("all", help: "Every finding with its reason, its source and its fix, and what could not be decided."),
            .flag("strict", help: "Demands that every attribute is optional; a default value is not enough."),
            .value("rule", "RULE", .text, isRepeatable: true, help: "Applies this rule alone, or those of a group such as 'schema'."),
            .value("against", "COMMIT", .text, help: "Compares the models with those of a commit, branch or tag: what may not change?"),
            .value(
                "store", "FILE", .text, isRepeatable: true,
                help: "Measures a copy of the app's store: bytes by type and field, what is near a limit, what waits, growth."),
            .value(
                "log", "FILE", .text, isRepeatable: true,
                help: "Measures a log or a trace of its writes, and weighs the advice by the edits that were lost there."),
            .value("baseline", "FILE", .text, help: "Reports only what is not in it."),
            .value("write-baseline", "FILE", .text, help: "Writes what is found, for --baseline."),
            .flag("fix", help: "With --dry-run: writes the changes that text alone can make, as a patch."),
            .flag("dry-run", help: "Changes nothing; needed with --fix, since the doctor never writes to a project."),
            .value("format", "FORMAT", short: "f", .choice(Format.allCases.map(\.rawValue)), help: "What is written: text unless given."),
            .color,
            .output,
        ],
        examples: [
            .init("syncaudit doctor", "The project in this folder, on one screen."),
            .init("syncaudit doctor --all ../Notes", "Everything that was found there."),
            .init("syncaudit doctor --store default.store .", "Also what a device's store holds, and how it grows."),
            .init("syncaudit doctor --format sarif -o doctor.sarif .", "For a code host."),
            .init("syncaudit doctor --fix --dry-run . | patch -p0", "Mends what text alone can mend."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        guard arguments.operands.count <= 1 else {
            throw UsageError("\(arguments.operands[1].quoted) is one project too many: examine them one by one", verb: definition.name)
        }
        guard arguments.isSet("fix") == arguments.isSet("dry-run") else {
            throw UsageError("--fix and --dry-run go together: the patch is printed and nothing is changed", verb: definition.name)
        }
        var folder = arguments.operands.first ?? "."
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let path = folder.hasSuffix(".xcodeproj") || folder.hasSuffix(".xcworkspace") ? folder + "/.." : folder
        let isFolder: Bool
        do throws(Errno) {
            isFolder = try FileStatus(path: path).isDirectory
        } catch {
            throw CommandError(.noInput, "\(folder.quoted): \(error.sentence)")
        }
        guard isFolder else { throw CommandError(.noInput, "\(folder.quoted) is no folder; name the folder of the project") }
        var options = Doctor.Options()
        options.isStrict = arguments.isSet("strict")
        options.now = context.now()
        options.measurements = try measurements(arguments, context)
        options.rules = arguments.texts("rule")
        for name in options.rules where !Rule.all.contains(where: { $0.id == name || $0.id.hasPrefix(name + ".") }) {
            throw UsageError(
                "there is no rule \(name.quoted): name one that --all prints in brackets, or a group such as 'schema'",
                verb: definition.name)
        }
        let files = ProjectFiles(folder: path)
        if let commit = arguments.text("against") {
            let contents = try GitTree.contents(of: path, at: commit, where: Doctor.isRead)
            options.earlier = (commit, ProjectFiles(name: files.name, contents: contents))
        }
        var diagnosis = Doctor.examine(files, options)
        if diagnosis.counts.swiftFiles == 0 {
            let reason = diagnosis.notes.first.map { "; \($0.location.path.quoted): \($0.sentence)" } ?? ""
            throw CommandError(.noInput, "\(folder.quoted) holds no target with Swift files; name the folder of the project\(reason)")
        }
        if let path = arguments.text("write-baseline") {
            try context.withOutput(path: path) { try $0.write(Baseline(diagnosis.findings).text) }
        }
        if let path = arguments.text("baseline") { diagnosis.subtract(try baseline(path)) }
        let format = try arguments.choice("format", as: Format.self) ?? .text
        let style = try arguments.style(context)
        try context.withOutput(path: arguments.text("output")) { output in
            if arguments.isSet("fix") {
                let patch = ProjectPatch(diagnosis, files).text
                try output.write(patch)
                if patch.isEmpty {
                    context.note("there is no patch: nothing of what was found can be mended by text alone; --all says what to do")
                }
                return
            }
            let answer = DoctorAnswer(diagnosis, name: files.name)
            switch format {
            case .text:
                let layout = PageLayout(style: style, width: context.width)
                try output.write(arguments.isSet("all") ? answer.wholePage(layout).text(layout) : answer.text(layout))
            case .json: try output.write(answer.json)
            case .sarif: try output.write(answer.sarif(version: SyncAudit.version).json)
            case .github: try output.write(answer.github)
            case .gitlab: try output.write(answer.codeQuality)
            case .markdown: try output.write(answer.markdown)
            }
        }
        let errors = diagnosis.count(.error)
        if errors > 0 { throw CommandError(.limitExceeded, HumanNumber.count(errors, "error")) }
    }

    private static func baseline(_ path: String) throws(CommandError) -> Baseline {
        guard let baseline = Baseline(try BaselineFile.value(path)) else { throw BaselineFile.isNone(path) }
        return baseline
    }
}
