public import ConflictAudit
public import SyncMerge
public import SyncModel
import SyncSystem

/// What an app's devices and the command agree on: the rules of merging and of the audit, which values may be logged, and how records are
/// called.
///
/// It is kept in a file `.syncaudit.json`, which the command looks for in the working directory and the folders around it. An app that
/// ships the same file has the same rules:
///
/// ```swift
/// let configuration = try AuditConfiguration(contentsOfFile: path)
/// let auditor = TraceAuditor(mergeRules: configuration.mergeRules, auditRules: configuration.auditRules, sink: sink)
/// ```
///
/// A value type; its owner guards it.
public struct AuditConfiguration: Sendable {
    /// The rules by which replicas merge.
    public var mergeRules = MergeRules()
    /// What an audit looks for; its window and tolerance are those of ``mergeRules`` too.
    public var auditRules = AuditRules()
    /// Which values may be logged.
    public var privacy = ValuePrivacy.full
    /// The field by whose value a person knows a record, by type; those of ``auditRules``.
    public var displayFields: [RecordType: FieldName] {
        get { auditRules.displayFields }
        set { auditRules.displayFields = newValue }
    }
    /// The logs to read where a command line names none: files, directories and patterns, relative ones from the file's folder.
    public var logs: [String] = []
    /// How tables of saved rows are understood, by the name of a table of a database, or a file's up to its first dot.
    package var tables: [String: TableSettings] = [:]
    /// On what the command's `check` fails, and what it ignores.
    package var check = CheckSettings()

    /// Whether it says how values are chosen, besides the deletes.
    package var hasPolicies: Bool {
        if case .fields(.lastWriterWins) = mergeRules.standard { !mergeRules.types.isEmpty || !mergeRules.fields.isEmpty } else { true }
    }

    /// Whether it states how values are chosen or what deletes do, also by what holds where nothing is stated.
    package var statesMerging = false

    /// Whether it states what an audit looks for: the window, the tolerance, constraints or whole records.
    package var statesAuditing = false

    /// The fields whose values may not be logged, to be looked for in what is read: one that is misspelt hides nothing.
    package var omittedFields: [NameSearch.Name] {
        privacy.fields.filter { $0.value == .omitted }.keys.sorted().map { key in
            let name = "\(key.type.rawValue).\(key.field?.rawValue ?? "")"
            return NameSearch.Name(origin: Self.fileName, text: name, fields: [key])
        }
    }

    /// What was audited by it, where a log says so.
    package var form: Form?

    /// Where it comes from, as sentences call it.
    package var origin = "the configuration"

    /// The configuration of an app that has no file.
    public init() {}

    /// The configuration of an audit.
    package init(_ mergeRules: MergeRules, _ auditRules: AuditRules, _ privacy: ValuePrivacy) {
        (self.mergeRules, self.auditRules, self.privacy) = (mergeRules, auditRules, privacy)
    }

    /// The name of the file.
    package static let fileName = ".syncaudit.json"

    /// How many bytes of a file are read at most.
    private static let maximumSize: Int64 = 1 << 20

    /// Reads a file.
    ///
    /// - Throws: ``AuditLogError`` where it is not there, is larger than 1 MB, or holds a key or a value that means nothing; the sentence
    ///   names it.
    public init(contentsOfFile path: String) throws(AuditLogError) {
        let bytes: [UInt8]?
        do throws(Errno) {
            bytes = try contents(ofFile: path, atMost: Self.maximumSize)
        } catch {
            throw AuditLogError(.noInput, "\(path): it cannot be read: \(error.sentence)")
        }
        guard let bytes else {
            throw AuditLogError(.badData, "\(path): it is no regular file of at most 1 MB; a configuration is a JSON object")
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? ""
        do throws(ConfigurationProblem) {
            try self.init(bytes, folder: folder)
        } catch {
            throw AuditLogError(.badData, "\(path): \(error.sentence)")
        }
    }

    /// The file of a folder, or of the nearest folder around it that has one; nil where there is none.
    ///
    /// One that belongs to another user than this process's or the administrator is passed over, since it would change what this user is
    /// told.
    ///
    /// - Parameter folder: An absolute path.
    public static func file(for folder: String) -> String? {
        var folder = folder[...]
        while true {
            let path = folder + (folder.hasSuffix("/") ? "" : "/") + fileName
            // A link has to be the user's as well as what it leads to.
            let owners = [true, false].compactMap { try? FileStatus(path: String(path), followsLink: $0) }
            if owners.count == 2, owners.allSatisfy({ !$0.isDirectory && [0, geteuid()].contains($0.owner) }) { return String(path) }
            guard let end = folder.dropLast().lastIndex(of: "/") else { return nil }
            folder = folder[...end]
        }
    }
}
