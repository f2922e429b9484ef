import AuditLog
import SyncBytes
import SyncModel

/// Which columns of a table are what.
struct RowColumns: Equatable {
    /// Where something comes from.
    enum Source: Equatable {
        case column(Int)
        case constant(String)
    }

    private(set) var sources: [RowKey: Source] = [:]
    /// The columns that are fields.
    var fields: [(name: String, column: Int)] = []
    /// The columns that are nothing.
    private(set) var unused: [String] = []
    /// Whether the column of the record was guessed.
    private(set) var isRecordGuessed = false
    /// The columns that could be fields but for what their values are.
    var rejected: [Rejected] = []
    let names: [String]

    static func == (left: RowColumns, right: RowColumns) -> Bool { left.names == right.names && left.sources == right.sources }

    /// Whether each row is one change, with a column for the field's name and one for its value.
    var areChanges: Bool { sources[.field] != nil }

    /// Resolves a mapping.
    ///
    /// - Parameters:
    ///   - type: The type of all records where no column says it.
    ///   - sample: The first rows.
    ///   - times: How times are written.
    init(
        _ mapping: RowMapping, of names: [String], type: String, file: String? = nil,
        sample: RowSample = RowSample(rows: [], isWhole: false), times: TimestampForm = .zoned
    ) throws(RowMapping.Problem) {
        self.names = names
        var columns: [String: Int] = [:]
        for (index, name) in names.enumerated() where !name.isEmpty {
            if columns.updateValue(index, forKey: name) != nil {
                throw RowMapping.Problem(sentence: "two columns have the name \(name.quoted); give each a name of its own")
            }
        }
        var absent: [(key: RowKey, text: String)] = []
        for (key, text) in mapping.given.ordered(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let column = columns[text] {
                sources[key] = .column(column)
            } else if text.hasPrefix(":") {
                sources[key] = .constant(try RowMapping.constant(text, for: key, file: file))
            } else {
                absent.append((key, text))
            }
        }
        guess(mapping, but: Set(absent.map(\.key)))
        try checkIsComplete(absent, sample, times)
        if sources[.recordType] == nil { sources[.recordType] = .constant(type) }
        if (sources[.field] == nil) != (sources[.value] == nil) {
            throw RowMapping.Problem(sentence: "field and value go together: map both, or neither")
        }
        try selectFields(mapping, columns, sample, times)
    }

    /// Makes sure that nothing is missing of what every write has.
    ///
    /// - Parameter absent: What is mapped to columns that are not there.
    private func checkIsComplete(
        _ absent: [(key: RowKey, text: String)], _ sample: RowSample, _ times: TimestampForm
    ) throws(RowMapping.Problem) {
        var sentences = absent.map { key, text in
            "there is no column \(text.quoted), which --map takes as \(key.rawValue); a value for all rows is written \(key.rawValue)=:\(text)"
        }
        let unknown = [RowKey.recordID, .device, .timestamp].filter { sources[$0] == nil }
        let missing = unknown.filter { key in !absent.contains { $0.key == key } }
        if !missing.isEmpty {
            let nouns = missing.map(\.noun)
            let list =
                nouns.count > 2
                ? "\(nouns.dropLast().joined(separator: ", ")) and \(nouns[nouns.count - 1])" : nouns.joined(separator: " and ")
            sentences.append("no column is known to name \(list); say which \(missing.count == 1 ? "does" : "do")")
        }
        guard !sentences.isEmpty else { return }
        let remedy = unknown.isEmpty ? "" : ", as with \(Self.option(map: candidates(unknown, sample, times)))"
        throw RowMapping.Problem(sentence: sentences.joined(separator: "; ") + "\(remedy). \(Self.listing(names))")
    }

    /// The columns that are likeliest to be what is missing; `COLUMN` where none is likely.
    private func candidates(_ missing: [RowKey], _ sample: RowSample, _ times: TimestampForm) -> [(RowKey, String)] {
        var taken = taken
        return missing.map { key in
            let free = names.indices.filter { !taken.contains($0) && !names[$0].isEmpty }
            let column =
                switch key {
                case .timestamp:
                    free.first { sample.holdsTimes($0, times) }
                        ?? free.first { Self.words(names[$0]).contains(where: Self.timeWords.contains) }
                case .device: free.first { Self.words(names[$0]).contains(where: Self.writerWords.contains) }
                default:
                    free.first { Self.isIdentity(names[$0]) && sample.repeatedValues($0) != nil }
                        ?? free.first { Self.isIdentity(names[$0]) }
                }
            guard let column else { return (key, "COLUMN") }
            taken.insert(column)
            return (key, names[column])
        }
    }

    private static let timeWords: Set<String> = ["at", "on", "when", "time", "date", "stamp", "timestamp"]
    private static let writerWords: Set<String> = [
        "device", "client", "user", "author", "by", "who", "editor", "writer", "host", "machine", "phone", "person", "member", "employee",
        "agent",
        "installation", "session", "peer", "replica", "node",
    ]

    /// The words of a name, in lower case: `editedBy` and `edited_by` have the same.
    private static func words(_ name: String) -> [String] {
        name.separatingWords(by: "_").lowercased().split { !$0.isLetter }.map(String.init)
    }

    /// Whether a name is like that of a record's identity.
    static func isIdentity(_ name: String) -> Bool {
        let last = words(name).last
        return name.hasSuffix("ID") || ["id", "uuid", "guid", "key"].contains(last)
    }

    /// The option that maps columns, as it is typed in a shell.
    static func option(map: [(key: RowKey, column: String)]) -> String {
        "--map " + word(map.map { RowMapping.item("\($0.key.rawValue)=\($0.column)") })
    }

    /// The option that names the fields, as it is typed in a shell.
    static func option(fields: [String]) -> String { "--fields " + word(fields.map(RowMapping.item)) }

    /// A list for an option, as a word of a shell.
    private static func word(_ items: [String]) -> String {
        let list = items.joined(separator: ",")
        // An equals sign means something only before a command.
        let plain = list.replacing("=", with: "")
        return plain.shellWord == plain ? list : list.shellWord
    }

    /// The columns that are something else than fields.
    private var taken: Set<Int> {
        Set(sources.values.compactMap { source in if case .column(let column) = source { column } else { nil } })
    }

    private static func listing(_ names: [String], capital: Bool = true) -> String {
        "\(capital ? "There" : "there") are " + names.prefix(16).map(\.quoted).joined(separator: ", ") + (names.count > 16 ? ", …" : "")
    }

    private static func plain(_ name: String) -> String { String(name.lowercased().filter { !" _-.".contains($0) }) }

    private mutating func guess(_ mapping: RowMapping, but absent: Set<RowKey>) {
        var free: [String: Int] = [:]
        let taken = taken
        let named = Set(mapping.fields ?? [])
        for (index, name) in names.enumerated() where !taken.contains(index) && !named.contains(name) && free[Self.plain(name)] == nil {
            free[Self.plain(name)] = index
        }
        func find(_ key: RowKey) -> Int? { key.usualNames.lazy.compactMap { free[$0] }.first }
        for key in RowKey.allCases where sources[key] == nil && !absent.contains(key) {
            switch key {
            // One without the other is an ordinary field.
            case .field, .value:
                guard sources[.field] == nil, let field = find(.field), let value = find(.value) else { continue }
                (sources[.field], sources[.value]) = (.column(field), .column(value))
            default:
                guard let column = find(key) else { continue }
                sources[key] = .column(column)
                if key == .recordID { isRecordGuessed = true }
            }
        }
    }

    /// What numbers rows, or says who wrote them and when, is different in each row though nobody edits it.
    private static let neverFields: Set<String> = [
        "", "id", "pk", "rowid", "rowpk", "rownumber", "rownum", "rowno", "uuid", "guid", "updateid", "changeid", "device", "deviceid",
        "devicename", "client", "clientid",
        "replica",
        "replicaid", "userid", "ts", "timestamp", "updatedat", "modifiedat", "changedat", "editedat", "createdat", "clienttimestamp",
        "clientts",
        "clienttime", "devicetime", "lastmodified", "lastmodifiedat", "received", "receivedat", "serverts", "servertime", "servertimestamp",
        "syncedat", "arrivedat", "uploadedat",
    ]

    /// Names of columns that say by whom a row was written, where their values agree with that.
    private static let writers = Set(
        RowKey.device.usualNames + [
            "updatedby", "modifiedby", "lastmodifiedby", "changedby", "editedby", "createdby", "writtenby", "editor",
        ])

    static func namesWriter(_ name: String) -> Bool { writers.contains(plain(name)) }

    private mutating func selectFields(
        _ mapping: RowMapping, _ columns: [String: Int], _ sample: RowSample, _ times: TimestampForm
    ) throws(RowMapping.Problem) {
        let taken = taken
        if let given = mapping.fields {
            if areChanges {
                throw RowMapping.Problem(sentence: "--fields is for rows with a column for each field; these name their field")
            }
            var named: Set<Int> = []
            for name in given {
                guard let column = columns[name] else {
                    throw RowMapping.Problem(
                        sentence: "there is no column \(name.quoted), which --fields names; \(Self.listing(names, capital: false))")
                }
                if named.insert(column).inserted { fields.append((name, column)) }
            }
        } else if !areChanges {
            for (column, name) in names.enumerated() where !taken.contains(column) && !Self.neverFields.contains(Self.plain(name)) {
                fields.append((name, column))
            }
            reject(sample, times)
        }
        let used = taken.union(fields.map(\.column))
        unused = names.indices.filter { !used.contains($0) }.map { names[$0] }
        if !areChanges, fields.isEmpty {
            throw RowMapping.Problem(
                sentence: "no column is left to be a field of a record; name some with --fields. \(Self.listing(names))")
        }
        fields.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The fields whose names are like those of a record's identity.
    var recordCandidates: [String] { fields.map(\.name).filter(Self.isIdentity) }

    /// Which column was taken as what.
    var sentence: String {
        var parts = RowKey.allCases.compactMap { key -> String? in
            switch sources[key] {
            case .column(let column): "\(key.noun) is \(names[column].quoted)"
            case .constant(let text): "\(key.noun) is always \(text.quoted)"
            case nil: nil
            }
        }
        if !areChanges {
            parts.append("fields are " + fields.prefix(16).map(\.name.quoted).joined(separator: ", ") + (fields.count > 16 ? ", …" : ""))
        }
        if !unused.isEmpty {
            parts.append(
                "left out is " + unused.prefix(8).map { $0.isEmpty ? "a column without a name" : $0.quoted }.joined(separator: ", "))
        }
        return parts.joined(separator: "; ")
    }
}
