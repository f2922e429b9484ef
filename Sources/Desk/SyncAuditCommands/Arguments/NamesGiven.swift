import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

extension ParsedArguments {
    /// What options name: types, and fields of types.
    ///
    /// - Parameter rules: The rules that the options make up: no field of a type that is kept or dropped as a whole has a policy, so none
    ///   is meant.
    func names(in options: [String], rules: MergeRules) throws(UsageError) -> [NameSearch.Name] {
        var names: [NameSearch.Name] = []
        for option in options {
            switch definition(option).argument {
            case .value(.assignment(let form), _):
                for assignment in try assignments(option) {
                    guard case .named(let text, let type, var fields, let anyField) = assignment.target else { continue }
                    if form.value == .policy {
                        fields = ParsedArguments.isRecord(assignment.value) ? [] : fields.filter { !rules.scope(for: $0.type).isRecord }
                    }
                    names.append(
                        NameSearch.Name(
                            origin: "--" + option, text: text, types: type.map { [$0] } ?? [], fields: Set(fields), anyField: anyField))
                    if option == "reference" {
                        names.append(NameSearch.Name(origin: "--" + option, text: assignment.value, types: [RecordType(assignment.value)]))
                    }
                }
            case .value(.field, _):
                for (text, meant) in zip(texts(option), try fields(option)) {
                    names.append(NameSearch.Name(origin: "--" + option, text: text, fields: Set(meant.fields), anyField: meant.any))
                }
            case .value(.name(.types), _):
                for text in texts(option) { names.append(NameSearch.Name(origin: "--" + option, text: text, types: [RecordType(text)])) }
            default: preconditionFailure("--\(option) names no field")
            }
        }
        return names + (options.contains("privacy") ? configuration.omittedFields : [])
    }

    /// What the options of ``FilterOptions`` name.
    func namesInFilter() -> [NameSearch.Name] {
        texts("record-type").map { NameSearch.Name(origin: "--record-type", text: $0, types: [RecordType($0)]) }
            + texts("field").map { text in
                let fields = (try? ValueParser.fields(text)) ?? []
                return NameSearch.Name(origin: "--field", text: text, fields: Set(fields), anyField: FieldName(text))
            }
            + recordsInFilter()
    }

    /// The records that `--record` names.
    func recordsInFilter() -> [NameSearch.Name] {
        texts("record").map { NameSearch.Name(origin: "--record", text: $0, record: RecordKey(naming: $0)) }
    }

    /// The fields that ``OptionDefinition/name`` names, which hold what people call records.
    func namesOfRecords() -> [NameSearch.Name] {
        texts(OptionDefinition.name.name).map { text in
            var name = NameSearch.Name(origin: "--name", text: text)
            for (type, field) in (try? ValueParser.displayField(text)) ?? [] {
                if let type {
                    let fields = name.fields.union([ConflictStatistics.FieldKey(type: type, field: field)])
                    // As it is given, or as fields are named everywhere else.
                    name = NameSearch.Name(origin: name.origin, text: "\(type).\(field)", fields: fields, anyField: name.anyField)
                } else {
                    name = NameSearch.Name(origin: name.origin, text: text, fields: name.fields, anyField: field)
                }
            }
            return name
        }
    }

    /// Says of every name in the filter and of records that it meant nothing, where that is so.
    ///
    /// Nothing more is read where all of them are among the conflicts counted; otherwise the inputs are, up to the line in which the last
    /// one occurs.
    ///
    /// - Parameter counted: The conflicts that passed the filter, where they are known.
    func tellMissingNames(_ counted: ConflictStatistics?, _ inputs: [CommandInput], _ context: CommandContext) throws {
        let canBeReadAgain = inputs.canBeReadAgain
        let hasNames = verb.option(named: OptionDefinition.name.name) != nil
        // Where nothing can be read again, the conflicts counted do not tell which fields the writes have.
        var names = NameSearch(namesInFilter() + (hasNames && canBeReadAgain ? namesOfRecords() : []))
        for key in counted?.byField.keys.sorted() ?? [] { names.observe(key) }
        if let counted, counted.totalConflicts > 0, let record = texts("record").first, texts("record").count == 1 {
            RecordKey(naming: record).map { names.observe($0) }
        }
        if canBeReadAgain {
            // What cannot be understood has been told.
            try context.source(inputs, isLenient: true).read(into: &names)
        }
        if canBeReadAgain || counted != nil {
            names.tell(context, of: canBeReadAgain ? "nothing that was read" : "no conflict that was counted")
        }
    }
}

extension NameSearch {
    /// Says of every name that was not found that it meant nothing.
    ///
    /// - Parameter all: What of its kind there is none among.
    func tell(_ context: CommandContext, of all: String = "nothing that was read") {
        for name in missing { context.note(sentence(name, of: all)) }
    }

    /// Says that a name was not found, and which one there is that is most like it.
    private func sentence(_ name: Name, of all: String) -> String {
        let kind =
            name.record != nil
            ? "record" : name.anyField != nil || name.types.isEmpty ? "field" : name.fields.isEmpty ? "type" : "type or field"
        return "\(name.origin): \(all) has the \(kind) \(name.text.quoted)"
            + (otherReading(of: name) ?? nearest(to: name).map { "; the most similar name is \($0.quoted)" } ?? "")
    }

    /// What a name is that was read as something else: a field as a type, or a type as a field.
    private func otherReading(of name: Name) -> String? {
        if name.anyField != nil, types.contains(RecordType(name.text)) {
            return "; as a type it is there, and a field of it is written like \((name.text + ".FIELD").quoted)"
        }
        guard !name.types.isEmpty, name.anyField == nil else { return nil }
        let fields = fields.filter { $0.field == FieldName(name.text) }.sorted()
        return fields.first.map { "; as a field it is there, and is written like \("\($0.type).\(name.text)".quoted)" }
    }

    /// The name that differs least; of equals the first in order.
    private func nearest(to name: Name) -> String? {
        var known: Set<String> = []
        if !name.types.isEmpty { known.formUnion(types.map(\.rawValue)) }
        if name.anyField != nil { known.formUnion(fields.compactMap { $0.field?.rawValue }) }
        if !name.fields.isEmpty { known.formUnion(fields.compactMap { key in key.field.map { "\(key.type.rawValue).\($0.rawValue)" } }) }
        return EditDistance.nearest(to: name.text, among: known)
    }
}
