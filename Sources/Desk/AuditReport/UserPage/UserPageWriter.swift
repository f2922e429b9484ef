import AuditAnalysis
import AuditLog
import ConflictAudit
import FileFormats
import SyncBytes
import SyncMerge
import SyncModel

/// Words the changes of a page for a user.
struct UserPageWriter {
    /// Whether any change tells what is shown now.
    private(set) var showsNow = false
    /// Whether anything was left out since another person wrote it.
    private(set) var leavesOut = false

    private let page: UserPage
    private let names: RecordNames
    private var language: PageLanguage { page.language }

    /// The longest value that is shown whole, in characters.
    private static let longestValue = 1000
    /// How many values of a list or an object are shown.
    private static let longestList = 50

    init(_ page: UserPage, _ names: RecordNames) { (self.page, self.names) = (page, names) }

    /// What a person is told of a conflict.
    ///
    /// - Parameter record: What its record shows now; nil where that is not known.
    mutating func change(_ details: ConflictDetails, _ record: RecordNow?) -> UserPage.Change {
        let conflict = details.conflict
        var sides = [side(conflict.isProven ? .before : .perhapsBefore, conflict.loser, conflict)]
        let now = record?.shown(where: conflict)
        if let record, let now {
            if !now.equals(conflict.winner, in: conflict), isOwn(conflict.winner) { sides.append(side(.then, conflict.winner, conflict)) }
            showsNow = true
            sides.append(side(now, record, conflict))
        } else {
            sides.append(side(.after, conflict.winner, conflict))
        }
        let remark: PageWord? =
            if let now {
                now.equals(conflict.loser, in: conflict)
                    ? .restored : !details.isRestored ? nil : conflict.loser.isChange ? .putBack : .putBackAndChanged
            } else {
                details.isRestored ? .putBack : details.successor == nil ? nil : .changedSince
            }
        return UserPage.Change(
            title: title(conflict, record), doubt: conflict.isProven ? nil : language.text(.maybe), sides: sides,
            remark: remark.map { language.text($0) }, isRestored: remark == .restored || remark == .putBack)
    }

    private func isOwn(_ side: Conflict.Side) -> Bool { page.persons?.contains(writer: side.dot.device) ?? true }

    private mutating func side(_ label: PageWord, _ side: Conflict.Side, _ conflict: Conflict) -> UserPage.Side {
        let (isOwn, isDelete) = (isOwn(side), side.operation == .delete)
        return UserPage.Side(
            label: language.text(label), stamp: stamp(side.dot.device, side.timestamp.milliseconds, conflict, isShown: isOwn),
            value: isDelete ? .word(language.text(.deleted)) : value(side.value, in: conflict.key.type, isShown: isOwn))
    }

    private mutating func side(_ now: RecordNow.Shown, _ record: RecordNow, _ conflict: Conflict) -> UserPage.Side {
        let isOwn = page.persons.map { record.isShown(now, where: conflict, asWrittenBy: $0) } ?? true
        // What the person wrote, and somebody gave back: of a record no more than these fields.
        let isOwnAgain = !isOwn && self.isOwn(conflict.loser) && now.equals(conflict.loser, in: conflict)
        let shown = isOwnAgain ? conflict.loser.value : now.value
        let isWriterOwn = page.persons.map { persons in now.device.map(persons.contains(writer:)) ?? false } ?? true
        return UserPage.Side(
            label: language.text(.now), stamp: stamp(now.device, now.milliseconds, conflict, isShown: isWriterOwn),
            value: now.value == nil
                ? .word(language.text(.deleted)) : value(shown, in: conflict.key.type, isShown: isOwn || isOwnAgain))
    }

    /// From where and when; a device of which only a program gives the name is not named, and neither is who is another person.
    private func stamp(_ device: DeviceID?, _ milliseconds: Int64?, _ conflict: Conflict, isShown: Bool) -> String? {
        guard let milliseconds else { return nil }
        let time = language.time(page.zone.local(milliseconds))
        guard let device, isShown else { return time }
        let name = device.firstWriter.rawValue
        if Self.isIdentifier(name) { return language.text(.onSomeDevice, ["time": time]) }
        let isAuthor = conflict.policy == SavedRowsAudit.policy
        return language.text(isAuthor ? .byAuthor : .onDevice, ["name": EventText.name(name), "time": time])
    }

    /// What was replaced: `Phone of Anna Miller`.
    private func title(_ conflict: Conflict, _ record: RecordNow?) -> String {
        let type = language.name(of: conflict.key.type)
        let field = conflict.field.map { language.name(of: $0, in: conflict.key.type) }
        let title: String
        switch (field, name(conflict, record)) {
        case (let field?, let name?): title = language.text(.titleOfField, ["field": field, "name": name])
        case (let field?, nil): title = language.text(.titleOfUnnamedField, type: type, ["field": field])
        case (nil, let name?): title = language.text(.titleOfRecord, ["type": type, "name": name])
        case (nil, nil): title = language.text(.titleOfUnnamedRecord, type: type)
        }
        return title.capitalizedFirst
    }

    /// What the record is called now; nil where that is not known, only a program knows it so, or another person called it so.
    private func name(_ conflict: Conflict, _ record: RecordNow?) -> String? {
        let key = conflict.key
        let name =
            record?.name(in: names.fields(of: key.type, stated: conflict.name?.field), writtenBy: page.persons)
            // Who gave a name that only the conflicts tell is not known.
            ?? (page.persons == nil ? names[key] : nil)
        return name.flatMap { Self.isIdentifier($0) ? nil : EventText.name($0) }
    }

    /// Whether a name is a long run of hexadecimal digits, as of a UUID.
    static func isIdentifier(_ name: String) -> Bool {
        let digits = name.utf8.filter { $0 != UInt8(ascii: "-") }
        return digits.count >= 16 && digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
    }

    /// Whether a value is a UUID as programs write one; a long number may be a person's.
    private static func isUUID(_ value: String) -> Bool {
        value.utf8.count == 36 && value.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [8, 4, 4, 4, 12]
            && isIdentifier(value)
    }

    private mutating func value(_ value: FieldValue?, in type: RecordType, isShown: Bool) -> UserPage.Value {
        if !isShown {
            leavesOut = true
            return .word(language.text(.others))
        }
        guard let value, !ValuePrivacy.isOmitted(value) else { return .word(language.text(.unrecorded)) }
        if let value = TruncatedValue(value) { return .lines(lines(value.start + "…")) }
        switch value {
        case .null: return .word(language.text(.empty))
        case .string(let text) where text.isEmpty: return .word(language.text(.empty))
        case .string(let text) where Self.isUUID(text): return .word(language.text(.link))
        default: return .lines(lines(plain(value, type)))
        }
    }

    /// A value as people write it.
    private func plain(_ value: FieldValue, _ type: RecordType) -> String {
        func more(_ count: Int) -> String { count > Self.longestList ? "…" : "" }
        if ValuePrivacy.isOmitted(value) { return language.text(.unrecorded) }
        if let value = TruncatedValue(value) { return value.start + "…" }
        switch value {
        case .null: return language.text(.empty)
        case .bool(let isTrue): return language.text(isTrue ? .yes : .no)
        case .number(let number): return language.value(number)
        case .string(let text): return text.isEmpty ? language.text(.empty) : Self.isUUID(text) ? language.text(.link) : text
        case .array(let values):
            if values.isEmpty { return language.text(.empty) }
            let shown = values.prefix(Self.longestList).map { plain($0, type) }
            return shown.joined(separator: language.text(.valueSeparator)) + more(values.count)
        case .object(let fields):
            if fields.isEmpty { return language.text(.empty) }
            if let counted = CounterWrite(value) { return plain(.number(JSONNumber(counted.total)), type) }
            if let change = SetWrite(value) {
                let parts = change.added.map { ("+ ", $0) } + change.removed.map { ("− ", $0) }
                let shown = parts.prefix(Self.longestList).map { $0 + plain($1, type) }
                return shown.joined(separator: language.text(.valueSeparator)) + more(parts.count)
            }
            let shown = fields.prefix(Self.longestList).map { field in
                language.text(.fieldValue, ["field": language.name(of: field.name, in: type), "value": plain(field.value, type)])
            }
            return shown.joined(separator: language.text(.fieldSeparator)) + more(fields.count)
        }
    }

    /// The lines of a value, without what a reader's display would act on, cut where they are very long.
    private func lines(_ text: String) -> [String] {
        // Cut by scalars first: a single character may consist of a megabyte of accents.
        let scalars = text.unicodeScalars.prefix(Self.longestValue * 4)
        var shown = String(String.UnicodeScalarView(scalars)).prefix(Self.longestValue)
        let isCut = scalars.endIndex < text.unicodeScalars.endIndex || shown.endIndex < shown.base.endIndex
        if isCut { shown += "…" }
        return shown.replacing("\t", with: " ").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { String($0).escaped(for: .terminal) }
    }
}

extension Conflict.Side {
    /// Whether it changes a counter or a set, which shows what many have written.
    fileprivate var isChange: Bool { value?.isChange ?? false }
}

extension RecordNow.Shown {
    /// Whether it is what one side of a conflict wrote: of a record, every field that that side wrote.
    fileprivate func equals(_ side: Conflict.Side, in conflict: Conflict) -> Bool {
        guard side.operation == .put, let value, let written = side.value else { return side.operation == .delete && value == nil }
        guard conflict.field == nil, let shown = value.object, let written = written.object, !written.isEmpty else {
            return value == written
        }
        return written.allSatisfy { shown[$0.name] ?? .null == $0.value }
    }
}
