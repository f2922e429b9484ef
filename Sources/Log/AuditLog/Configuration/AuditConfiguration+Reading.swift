import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// Why a configuration cannot be used.
struct ConfigurationProblem: Error {
    /// A sentence without its full stop, to come after the file's name.
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }

    /// What is wrong with a value.
    init(at location: [String], _ problem: String) {
        sentence = "\(location.joined(separator: ".").quoted): \(problem)"
    }
}

extension AuditConfiguration {
    init(_ bytes: [UInt8], folder: String) throws(ConfigurationProblem) {
        let value: FieldValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes.span)
        } catch {
            let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw ConfigurationProblem("line \(line): this cannot be read as JSON: \(error.problem)")
        }
        try self.init(value, folder: folder)
    }

    /// - Parameter folder: Where relative paths begin.
    init(_ value: FieldValue, folder: String) throws(ConfigurationProblem) {
        // What other tools keep in it is theirs.
        let object = try Section(
            value, at: [],
            known: [
                "logs", "window", "tolerance", "outsideWindow", "policy", "deletes", "values", "wholeRecords", "bookkeeping", "fields",
                "types", "tables", "check", "doctor",
            ])
        for path in try object.strings("logs") { logs.append(path.hasPrefix("/") ? path : folder + path) }
        statesMerging = object.has("policy") || object.has("deletes")
        if let window = try object.duration("window") { mergeRules.intervals.windowMilliseconds = window }
        if let tolerance = try object.duration("tolerance") { mergeRules.intervals.toleranceMilliseconds = tolerance }
        (auditRules.window, auditRules.clockTolerance) = (mergeRules.intervals.window, mergeRules.intervals.tolerance)
        if let outside = try object.word("outsideWindow", of: AuditRules.OutsideWindow.self) { auditRules.outsideWindow = outside }
        if let scope = try object.scope("policy") { mergeRules.standard = scope }
        if let deletes = try object.word("deletes", of: DeletePolicy.self) { mergeRules.deletes = deletes }
        if let rule = try object.word("values", of: ValuePrivacy.Rule.self) { privacy.standard = rule }
        for name in try object.strings("bookkeeping") { mergeRules.bookkeeping.inAnyType.insert(FieldName(name)) }
        for (name, field) in try object.sections("fields", known: ["unique", "refersTo", "values"]) {
            let name = FieldName(name)
            if try field.flag("unique") { auditRules.uniqueInAnyType.insert(name) }
            for target in try field.names("refersTo") { auditRules.referencesInAnyType[name, default: []].insert(RecordType(target)) }
            if let rule = try field.word("values", of: ValuePrivacy.Rule.self) { privacy.fieldsOfAnyType[name] = rule }
        }
        var whole: Set<RecordType> = []
        for (name, section) in try object.sections("types", known: ["policy", "name", "wholeRecords", "fields"]) {
            let type = RecordType(name)
            if let scope = try section.scope("policy") {
                mergeRules.types[type] = scope
                statesMerging = true
            }
            if let field = try section.string("name") { displayFields[type] = FieldName(field) }
            if try section.flag("wholeRecords") { whole.insert(type) }
            for (name, field) in try section.sections("fields", known: ["policy", "unique", "refersTo", "values", "bookkeeping"]) {
                try add(field, of: ConflictStatistics.FieldKey(type: type, field: FieldName(name)), FieldName(name))
            }
        }
        for (name, section) in try object.sections("tables", known: ["map", "fields", "keeps", "times", "empty"]) {
            tables[name] = TableSettings(
                map: try section.texts("map"), fields: try section.strings("fields"), keeps: try section.string("keeps"),
                times: try section.string("times"), empty: try section.string("empty"),
                origin: section.location.joined(separator: "."))
        }
        if let section = try object.section("check", known: ["failOn", "ignore"]) { check = try CheckSettings(section) }
        if try object.flag("wholeRecords") {
            auditRules.wholeRecords = .all
        } else if !whole.isEmpty {
            auditRules.wholeRecords = .types(whole)
        }
        statesAuditing =
            object.has("window") || object.has("tolerance") || auditRules.hasConstraints || auditRules.wholeRecords != .none
    }

    private mutating func add(
        _ section: Section, of key: ConflictStatistics.FieldKey, _ name: FieldName
    ) throws(ConfigurationProblem) {
        if let scope = try section.scope("policy") {
            guard case .fields(let policy) = scope else {
                throw ConfigurationProblem(
                    at: section.location + ["policy"], "it is a policy of whole records, and this is a field; give it to the type")
            }
            guard !mergeRules.scope(for: key.type).isRecord else {
                throw ConfigurationProblem(
                    at: section.location + ["policy"],
                    "records of type \(key.type.rawValue.quoted) are kept or dropped as a whole, so no field of them can have a policy of its own"
                )
            }
            mergeRules.fields[key.type, default: [:]][name] = policy
            statesMerging = true
        }
        if try section.flag("bookkeeping") { mergeRules.bookkeeping.types[key.type, default: []].insert(name) }
        if try section.flag("unique") { auditRules.uniqueFields.insert(key) }
        for target in try section.names("refersTo") {
            auditRules.references.insert(AuditRules.Reference(from: key.type, field: name, to: RecordType(target)))
        }
        if let rule = try section.word("values", of: ValuePrivacy.Rule.self) { privacy.fields[key] = rule }
    }

    /// An object of the file, and where it is.
    fileprivate struct Section {
        let location: [String]
        private let fields: FieldMap

        init(_ value: FieldValue, at location: [String], known: [String]) throws(ConfigurationProblem) {
            guard case .object(let fields) = value else {
                throw location.isEmpty
                    ? ConfigurationProblem("it holds no object; a configuration is one, like {\"window\": \"5m\"}")
                    : ConfigurationProblem(at: location, "it is no object")
            }
            for field in fields where !known.contains(field.name.rawValue) {
                throw ConfigurationProblem(
                    at: location + [field.name.rawValue], "that means nothing here; known are \(known.joined(separator: ", "))")
            }
            self.location = location
            self.fields = fields
        }

        func problem(_ key: String, _ what: String) -> ConfigurationProblem { ConfigurationProblem(at: location + [key], what) }

        /// An object.
        func section(_ key: String, known: [String]) throws(ConfigurationProblem) -> Section? {
            guard let value = fields[FieldName(key)] else { return nil }
            return try Section(value, at: location + [key], known: known)
        }

        /// The objects of a list.
        func list(_ key: String, known: [String]) throws(ConfigurationProblem) -> [Section] {
            guard let value = fields[FieldName(key)] else { return [] }
            guard case .array(let elements) = value else { throw problem(key, "it is no list of objects") }
            var sections: [Section] = []
            for (index, element) in elements.enumerated() {
                sections.append(try Section(element, at: location + [key, "\(index)"], known: known))
            }
            return sections
        }

        /// Whether it holds a key.
        func has(_ key: String) -> Bool { fields[FieldName(key)] != nil }

        /// The objects of an object, by name.
        func sections(_ key: String, known: [String]) throws(ConfigurationProblem) -> [(String, Section)] {
            guard let value = fields[FieldName(key)] else { return [] }
            guard case .object(let map) = value else { throw problem(key, "it is no object") }
            var sections: [(String, Section)] = []
            for field in map {
                let name = field.name.rawValue
                sections.append((name, try Section(field.value, at: location + [key, name], known: known)))
            }
            return sections
        }

        func string(_ key: String) throws(ConfigurationProblem) -> String? {
            guard let value = fields[FieldName(key)] else { return nil }
            guard let text = value.string, !text.isEmpty else { throw problem(key, "it is no string with a character") }
            return text
        }

        func strings(_ key: String) throws(ConfigurationProblem) -> [String] {
            guard let value = fields[FieldName(key)] else { return [] }
            guard case .array(let elements) = value else { throw problem(key, "it is no list of strings") }
            var strings: [String] = []
            for element in elements {
                guard let text = element.string, !text.isEmpty else { throw problem(key, "an element is no string with a character") }
                strings.append(text)
            }
            return strings
        }

        /// The strings of an object, by name.
        func texts(_ key: String) throws(ConfigurationProblem) -> [String: String] {
            guard let value = fields[FieldName(key)] else { return [:] }
            guard case .object(let map) = value else { throw problem(key, "it is no object") }
            var texts: [String: String] = [:]
            for field in map {
                guard let text = field.value.string, !text.isEmpty else {
                    throw problem(key, "the value of \(field.name.rawValue.quoted) is no string with a character")
                }
                texts[field.name.rawValue] = text
            }
            return texts
        }

        /// A name, or a list of them.
        func names(_ key: String) throws(ConfigurationProblem) -> [String] {
            if case .array? = fields[FieldName(key)] { return try strings(key) }
            return try string(key).map { [$0] } ?? []
        }

        func flag(_ key: String) throws(ConfigurationProblem) -> Bool {
            guard let value = fields[FieldName(key)] else { return false }
            guard case .bool(let flag) = value else { throw problem(key, "it is neither true nor false") }
            return flag
        }

        func duration(_ key: String) throws(ConfigurationProblem) -> Int64? {
            guard let text = try string(key) else { return nil }
            do throws(ValueProblem) {
                return try DurationText.milliseconds(text)
            } catch {
                throw problem(key, error.sentence)
            }
        }

        func word<Word: RawRepresentable & CaseIterable>(_ key: String, of type: Word.Type) throws(ConfigurationProblem) -> Word?
        where Word.RawValue == String {
            guard let text = try string(key) else { return nil }
            guard let word = Word(rawValue: text) else {
                throw problem(key, "\(text.quoted) is not one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return word
        }

        func scope(_ key: String) throws(ConfigurationProblem) -> MergeRules.Scope? {
            guard let text = try string(key) else { return nil }
            guard let scope = MergeRules.Scope(optionName: text) else {
                let names = MergeRules.Scope.named.compactMap(\.optionName) + [MergeRules.Scope.devicesPrefix + "A,B"]
                throw problem(key, "\(text.quoted) is not one of \(names.joined(separator: ", "))")
            }
            return scope
        }
    }
}

extension CheckSettings {
    fileprivate init(_ section: AuditConfiguration.Section) throws(ConfigurationProblem) {
        failOn = try section.strings("failOn")
        for entry in try section.list("ignore", known: ["kind", "about", "reason", "until"]) {
            guard let kind = try entry.string("kind") else {
                throw entry.problem("kind", "it is missing; name the kind of the findings, such as \"clock\"")
            }
            guard let reason = try entry.string("reason"), reason.contains(where: { !$0.isWhitespace }) else {
                throw entry.problem("reason", "it is missing; say why these findings may be ignored")
            }
            let text = try entry.string("until")
            let until = text.flatMap(Until.init)
            if let text, until == nil {
                throw entry.problem("until", "\(text.quoted) is no day that exists; write it like \"2026-12-31\"")
            }
            ignores.append(
                Ignore(
                    kind: kind, about: try entry.string("about"), reason: reason, until: until,
                    origin: entry.location.joined(separator: ".")))
        }
    }
}
