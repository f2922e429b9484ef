import SyncLines
import SyncModel

/// A row whose columns of JSON are opened.
struct OpenedRow {
    let line: Int
    /// One value for each plain column; nil where the row does not name it.
    var cells: [FieldValue?]
    /// The record after the row, where columns hold it as a whole or what changed of it.
    var after: FieldMap?
    /// The record before the row, the same way.
    var before: FieldMap?
}

/// Which columns of a table are plain, which hold the record before and after, and which are envelopes around columns.
struct TableShape {
    /// What a column holds.
    indirect enum Kind {
        /// A plain value, of the number.
        case cell(Int)
        /// The record's fields afterwards.
        case after
        /// The record's fields before.
        case before
        /// What changed: new values by name, or pairs of the old and the new one.
        case changes
        /// The names of fields that the row removed.
        case removed
        /// The steps of a JSON Patch. Source: RFC 6902.
        case patch
        /// An object with columns inside.
        case envelope([FieldName: Kind])
        /// Nothing that is read.
        case nothing

        /// The kind where a plain column is taken away.
        func withoutCell(_ cell: Int) -> Kind {
            switch self {
            case .cell(let other) where other > cell: .cell(other - 1)
            case .envelope(let children): .envelope(children.mapValues { $0.withoutCell(cell) })
            default: self
            }
        }
    }

    /// The names of plain columns, those in envelopes with the envelope's name and a dot before them.
    private(set) var cells: [String] = []
    private var kinds: [Kind] = []
    /// The columns of the record after and before, by their names; empty where there are none.
    private(set) var afterColumns: [String] = []
    private(set) var beforeColumns: [String] = []
    private(set) var changesColumn: String?
    /// Whether the objects hold attributes as DynamoDB types them.
    private var holdsDynamoDB = false
    /// Whether what changed is pairs of the old and the new value.
    private var holdsPairs = false
    /// Whether the record after may show later changes too.
    private var changesSayMore = false
    /// The objects inside the record of which single fields change, by the names that come before theirs and a dot.
    private var parents: Set<FieldName> = []

    /// How many columns the table had when it was judged, and those that were added.
    var columnCount: Int { kinds.count }

    /// Whether each column is a plain value.
    private(set) var arePlain = false

    /// Whether columns hold the record.
    var hasImages: Bool { !afterColumns.isEmpty || !beforeColumns.isEmpty || changesColumn != nil }

    /// Whether rows may show only the fields that changed.
    var showsChanges: Bool { changesColumn != nil }

    /// Judges the columns of a table by its first rows.
    ///
    /// - Parameter known: What is known of the table by its name.
    init(_ columns: [String], _ rows: [TableRow], known: KnownTable?) {
        let plains = Set(columns.map(ColumnName.plain))
        holdsRecords = columns.indices.contains { column in
            let plain = ColumnName.plain(columns[column])
            return (Self.after.contains(plain) || Self.before.contains(plain) || Self.weak.contains(plain))
                && Self.holdsObjects(rows.map { column < $0.values.count ? $0.values[column] : nil })
        }
        partners = Self.weak.filter { name in ["old", "previous", "prev", "before"].contains { plains.contains($0 + name) } }
        pairs = Self.pairs(plains)
        kinds = columns.indices.map { column in
            kind(columns[column], rows.map { column < $0.values.count ? $0.values[column] : nil }, known, depth: 0)
        }
        if !hasImages, known == nil { openWeakly(columns, rows) }
        arePlain = kinds.allSatisfy { if case .cell = $0 { true } else { false } }
    }

    /// Takes columns that have come since as plain ones.
    mutating func extend(to columns: [String]) {
        for column in columns[kinds.count...] {
            kinds.append(.cell(cells.count))
            cells.append(column)
        }
    }

    /// A column with a name that may be a field as well is the record where nothing else holds it and operations are beside it.
    private mutating func openWeakly(_ columns: [String], _ rows: [TableRow]) {
        let candidates = columns.indices.filter { column in
            let values = rows.map { column < $0.values.count ? $0.values[column] : nil }
            return Self.holdsObjects(values)
                && (Self.weak.contains(ColumnName.plain(columns[column])) || Self.areRecords(values) && isAlone(column, columns))
        }
        let hasOperations = columns.indices.contains { column in
            ColumnName(columns[column]).saysOperation
                && rows.allSatisfy { row in
                    guard column < row.values.count, let value = row.values[column] else { return true }
                    return OperationWords().meaning(of: value) != nil
                }
        }
        guard candidates.count == 1, let column = candidates.first, hasOperations || isAlone(column, columns) else { return }
        guard case .cell(let cell) = kinds[column] else { return }
        kinds[column] = .after
        afterColumns = [columns[column]]
        cells.remove(at: cell)
        kinds = kinds.map { $0.withoutCell(cell) }
        note(rows.map { column < $0.values.count ? $0.values[column] : nil })
    }

    /// Whether all other columns tell of the row and not of the record, as their names say.
    private func isAlone(_ column: Int, _ columns: [String]) -> Bool {
        columns.indices.allSatisfy { other in
            let name = ColumnName(columns[other])
            return other == column || name.isIdentity || name.namesRecord || name.namesVersion || name.namesBase || name.authorRank > 0
                || name.saysTime || name.namesType || name.saysDeleted || name.namesOrder || name.tellsOfRequest || name.saysCreation
                || name.saysOperation || Self.envelopes.contains(name.plain)
        }
    }

    private static let weak: Set<String> = [
        "data", "object", "row", "values", "document", "rowdata", "snapshot", "state", "payload", "content", "image", "body", "json",
        "item",
        "entity", "record", "fields", "attributes", "doc", "model",
    ]
    private static let after: Set<String> = [
        "newrow", "new", "after", "newvalues", "newdata", "newrecord", "newimage", "afterimage", "fulldocument", "newstate", "afterstate",
        "postimage", "rowafter", "newval", "newvalue", "newattributes", "afterdata", "current", "newobject", "todata", "recordafter",
    ]
    private static let before: Set<String> = [
        "oldrow", "old", "before", "oldvalues", "olddata", "oldrecord", "oldimage", "beforeimage", "fulldocumentbeforechange", "previous",
        "previousvalues", "preimage", "oldstate", "original", "originalvalues", "rowbefore", "oldval", "oldvalue", "oldattributes",
        "beforedata",
        "previousdata", "prev", "oldobject", "fromdata", "recordbefore", "previousstate",
    ]
    private static let changes: Set<String> = [
        "objectchanges", "changes", "auditedchanges", "diff", "delta", "changedfields", "changeset", "updatedfields", "modifications",
    ]
    private static let envelopes: Set<String> = [
        "payload", "source", "metadata", "meta", "ns", "documentkey", "updatedescription", "dynamodb", "transaction", "context", "request",
        "event", "message", "headers", "response", "key", "keys", "user", "actor", "author", "client", "device", "session",
        "sessionvariables", "useridentity",
        "audit",
    ]

    private mutating func kind(
        _ name: String, _ values: [FieldValue?], _ known: KnownTable?, depth: Int
    ) -> Kind {
        let plain = ColumnName.plain(name.split(separator: ".").last.map(String.init) ?? name)
        if let known, depth == 0 || name.contains("."), let role = known.image(name) {
            return take(role, name, values)
        }
        if Self.holdsObjects(values) {
            if known?.hasImages != true, depth == 0 || name.hasPrefix("payload") {
                if Self.after.contains(plain) { return take(.after, name, values) }
                if Self.before.contains(plain) { return take(.before, name, values) }
                if Self.changes.contains(plain) { return take(.changes, name, values) }
                if partners.contains(plain) || pairs.after.contains(plain) { return take(.after, name, values) }
                if pairs.before.contains(plain) { return take(.before, name, values) }
            }
            if depth < 3, Self.envelopes.contains(plain) || known?.opens(name) == true {
                let inner = values.map { $0?.openedObject }
                var names: Set<FieldName> = []
                for map in inner { for field in map?.names.map({ $0 }) ?? [] where names.count < 64 { names.insert(field) } }
                // What a field of the record holds has no columns inside that say who and when, or before and after.
                var children: [FieldName: Kind] = [:]
                for child in names.sorted() {
                    children[child] = kind(
                        name + "." + child.rawValue, inner.map { map in map.flatMap { $0[child] } }, known, depth: depth + 1)
                }
                return .envelope(children)
            }
        } else if known?.hasImages != true, depth == 0, Self.holdPatches(values) {
            changesColumn = name
            return .patch
        } else if Self.isEmpty(values), holdsRecords {
            // A table of creations alone has nothing in its column of the row before.
            if Self.before.contains(plain), plain != "original", plain != "previous" { return take(.before, name, values) }
            if Self.after.contains(plain), plain != "current", plain != "new" { return take(.after, name, values) }
        }
        defer { cells.append(name) }
        return .cell(cells.count)
    }

    private static func pairs(_ names: Set<String>) -> (after: Set<String>, before: Set<String>) {
        var (after, before): (Set<String>, Set<String>) = ([], [])
        for name in names {
            for (new, old) in [("new", "old"), ("after", "before"), ("current", "previous"), ("post", "pre")] {
                var others: [String] = []
                if name.hasPrefix(new) { others.append(old + String(name.dropFirst(new.count))) }
                if name.hasSuffix(new) { others.append(String(name.dropLast(new.count)) + old) }
                for other in others where names.contains(other) {
                    after.insert(name)
                    before.insert(other)
                }
            }
        }
        return (after, before)
    }

    /// Names that do not say by themselves that a column holds the record after, beside which another holds it before.
    private var partners: Set<String> = []
    /// Names of which one says that a column holds the record after, and another, alike but for that, that it holds it before.
    private var pairs: (after: Set<String>, before: Set<String>) = ([], [])
    /// Whether a column has a name for records and holds objects.
    private var holdsRecords = false

    private mutating func take(_ kind: KnownTable.Image, _ name: String, _ values: [FieldValue?]) -> Kind {
        note(values)
        switch kind {
        case .after, .later:
            afterColumns.append(name)
            if kind == .later { changesSayMore = true }
            return .after
        case .before:
            beforeColumns.append(name)
            return .before
        case .changes:
            changesColumn = name
            let maps = values.compactMap { $0?.openedObject }
            for map in maps { for name in map.names where parents.count < Self.maximumParents { addParents(of: name) } }
            holdsPairs = maps.contains { !$0.isEmpty } && maps.allSatisfy { map in map.allSatisfy { Self.pair($0.value) != nil } }
            if !holdsPairs {
                // Creations may show plain values where changes show pairs.
                let pairs = maps.filter { map in !map.isEmpty && map.allSatisfy { Self.pair($0.value) != nil } }.count
                holdsPairs = 2 * pairs >= maps.count && pairs > 0
            }
            return .changes
        case .removed: return .removed
        case .nothing: return .nothing
        }
    }

    private static let maximumParents = 2000

    /// The objects that a path of names with dots leads through; the elements of lists stay together.
    private mutating func addParents(of path: FieldName) {
        let names = path.rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard names.count > 1, names.count <= WriteLimits.depth, !names.contains(where: { $0.allSatisfy(\.isNumber) }) else { return }
        for count in 1..<names.count { parents.insert(FieldName(names[..<count].joined(separator: "."))) }
    }

    /// The record with the fields of objects that change one by one, by their paths.
    private func flattened(_ map: FieldMap) -> FieldMap {
        guard !parents.isEmpty, map.names.contains(where: parents.contains) else { return map }
        var elements: [FieldMap.Element] = []
        func add(_ map: FieldMap, under prefix: String) {
            for field in map {
                let name = FieldName(prefix + field.name.rawValue)
                if parents.contains(name), let inner = field.value.object, !inner.isEmpty {
                    add(inner, under: name.rawValue + ".")
                } else {
                    elements.append(FieldMap.Element(name: name, value: field.value))
                }
            }
        }
        add(map, under: "")
        return (try? FieldMap(unordered: elements)) ?? map
    }

    private mutating func note(_ values: [FieldValue?]) {
        let maps = values.compactMap { $0?.openedObject }.filter { !$0.isEmpty }
        if !maps.isEmpty, maps.allSatisfy({ $0.dynamoDBAttributes != nil }) { holdsDynamoDB = true }
    }

    /// Whether a column holds objects, but for empty values and one in twenty that is cut off.
    private static func holdsObjects(_ values: [FieldValue?]) -> Bool {
        var (objects, others) = (0, 0)
        // Some tools write an empty object as an empty list.
        for case let value? in values where !value.isBlank && value.canonical != .array([]) {
            if value.openedObject != nil { objects += 1 } else { others += 1 }
            if others > 20, others * 19 > objects { return false }
        }
        return objects > 0 && others * 19 <= objects
    }

    /// Whether a column holds JSON Patches: lists of objects with an operation and a path.
    private static func holdPatches(_ values: [FieldValue?]) -> Bool {
        let lists = values.compactMap { $0.flatMap { $0.isBlank ? nil : $0.canonical } }
        return lists.contains { $0 != .array([]) }
            && lists.allSatisfy { list in
                list.array?.allSatisfy { step in
                    step.object.map { $0["op"]?.string != nil && $0["path"]?.string != nil } ?? false
                } ?? false
            }
    }

    /// Fields by their names, of two with one name the last.
    private static func fields(_ named: some Sequence<(FieldName, FieldValue)>) -> FieldMap {
        let fields = Dictionary(named) { $1 }.sorted { $0.key < $1.key }
        return FieldMap(sortedNames: fields.map(\.key), values: fields.map(\.value))
    }

    /// What a step of a JSON Patch changes; nil where it changes no field.
    private static func change(_ step: FieldValue) -> (FieldName, FieldValue)? {
        guard let step = step.object, let path = step["path"]?.string, path.hasPrefix("/"), path.utf8.count > 1 else { return nil }
        let names = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            $0.replacing("~1", with: "/").replacing("~0", with: "~")
        }
        let name = FieldName(names.joined(separator: "."))
        switch step["op"]?.string {
        case "add", "replace": return step["value"].map { (name, $0) }
        case "remove": return (name, .null)
        default: return nil
        }
    }

    /// Whether the objects of a column each name themselves, beside other fields.
    private static func areRecords(_ values: [FieldValue?]) -> Bool {
        values.compactMap { $0?.openedObject }.allSatisfy { object in
            object.count > 1 && ["id", "_id", "uuid", "guid"].contains { object[FieldName($0)] != nil }
        }
    }

    private static func isEmpty(_ values: [FieldValue?]) -> Bool { values.allSatisfy { $0?.isBlank ?? true } }

    /// The old and the new value that a pair holds, as tools write it; nil where the value is no pair.
    private static func pair(_ value: FieldValue) -> (old: FieldValue, new: FieldValue)? {
        if let elements = value.array { return elements.count == 2 ? (elements[0], elements[1]) : nil }
        guard let object = value.object, object.count <= 3 else { return nil }
        for (old, new) in [("old", "new"), ("from", "to"), ("before", "after"), ("oldValue", "newValue"), ("old_value", "new_value")] {
            if let new = object[FieldName(new)] { return (object[FieldName(old)] ?? .null, new) }
        }
        return nil
    }

    /// Opens a row.
    func open(_ row: TableRow) -> OpenedRow {
        if arePlain, row.values.count == kinds.count { return OpenedRow(line: row.line, cells: row.values) }
        var opened = OpenedRow(line: row.line, cells: [FieldValue?](repeating: nil, count: cells.count))
        var changes: FieldMap?
        for (column, value) in row.values.enumerated() where column < kinds.count {
            guard let value else { continue }
            put(value, kinds[column], &opened, &changes)
        }
        if let changes { apply(changes, to: &opened) }
        return opened
    }

    private func put(_ value: FieldValue, _ kind: Kind, _ row: inout OpenedRow, _ changes: inout FieldMap?) {
        switch kind {
        case .cell(let cell): row.cells[cell] = value
        case .after: row.after = image(value) ?? row.after
        case .before: row.before = image(value) ?? row.before
        case .changes: changes = image(value)?.filled(from: changes ?? FieldMap()) ?? changes
        case .removed:
            let names = (value.canonical.array ?? []).lazy.compactMap(\.string).map { (FieldName($0), FieldValue.null) }
            changes = (changes ?? FieldMap()).filled(from: Self.fields(names))
        case .patch:
            changes = Self.fields((value.canonical.array ?? []).lazy.compactMap(Self.change)).filled(from: changes ?? FieldMap())
        case .envelope(let children):
            value.openedObject?.forEachField { name, value in
                if let child = children[name] { put(value, child, &row, &changes) }
            }
        case .nothing: break
        }
    }

    private func image(_ value: FieldValue) -> FieldMap? {
        guard !value.isBlank, let map = value.openedObject else { return nil }
        return flattened(holdsDynamoDB ? map.dynamoDBAttributes ?? map : map)
    }

    /// Brings what changed into the record after, and the old values into that before.
    private func apply(_ changes: FieldMap, to row: inout OpenedRow) {
        guard row.after == nil || row.after?.isEmpty == true || changesSayMore else { return }
        var (new, old) = (changes, FieldMap())
        if holdsPairs {
            for field in changes {
                guard let pair = Self.pair(field.value) else { continue }
                new[field.name] = pair.new
                old[field.name] = pair.old
            }
        }
        row.after = row.before.map { new.filled(from: $0) } ?? new
        if holdsPairs, row.before == nil, !old.isEmpty { row.before = old }
    }
}

extension FieldValue {
    /// Whether there is nothing in it: null, or no characters.
    var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        default: false
        }
    }
}
