package import ConflictAudit
package import SyncBytes
package import SyncModel

/// What an assignment sets.
package enum AssignmentTarget: Hashable, Sendable {
    /// Everything: the value is alone.
    case everything
    /// What a name means: all fields of a type, where a type may be meant, or one field, by each way to split the name, or else a field of
    /// any type.
    ///
    /// Types and fields may contain dots. What does not occur in the input is not meant.
    case named(String, type: RecordType?, fields: [ConflictStatistics.FieldKey], anyField: FieldName? = nil)
}

/// What an option that assigns accepts.
package struct AssignmentForm: Hashable, Sendable {
    /// What values are allowed.
    package enum Value: Hashable, Sendable {
        /// Any text that is not empty.
        case text
        /// One of some words.
        case choice([String])
        /// The name of a merge policy.
        case policy
    }

    /// Whether `VALUE` may be alone.
    package let allowsEverything: Bool
    /// Whether `TYPE=VALUE` is allowed beside `TYPE.FIELD=VALUE`; otherwise a word alone is a field of any type.
    package let allowsType: Bool
    /// What values are allowed.
    package let value: Value

    /// A form; `TYPE.FIELD=VALUE` is always part of it.
    package init(allowsEverything: Bool = false, allowsType: Bool = false, value: Value) {
        self.allowsEverything = allowsEverything
        self.allowsType = allowsType
        self.value = value
    }

    /// The accepted forms, for messages.
    fileprivate var described: String {
        (["TYPE.FIELD=VALUE", allowsType ? "TYPE=VALUE" : "FIELD=VALUE"] + (allowsEverything ? ["VALUE"] : [])).joined(separator: " or ")
    }
}

/// What is set, and to what.
package struct Assignment: Hashable, Sendable {
    /// What is set.
    package let target: AssignmentTarget
    /// What it is set to.
    package let value: String

    /// An assignment.
    package init(_ target: AssignmentTarget, _ value: String) {
        self.target = target
        self.value = value
    }
}

extension ValueParser {
    /// `TYPE.FIELD`, split at every dot that leaves something on both sides: either may contain dots.
    package static func fields(_ text: String) throws(ValueProblem) -> [ConflictStatistics.FieldKey] {
        let dots = text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: ".") }
        guard let first = dots.first else {
            throw ValueProblem("\(text.quoted) does not name a field; write it like TYPE.FIELD")
        }
        let halves = dots.map { (type: text[..<$0], field: text[text.utf8.index(after: $0)...]) }.filter {
            !$0.type.isEmpty && !$0.field.isEmpty
        }
        guard !halves.isEmpty else {
            throw ValueProblem("\(text.quoted) has an empty \(first == text.startIndex ? "type" : "field"); write it like TYPE.FIELD")
        }
        return halves.map { ConflictStatistics.FieldKey(type: RecordType(String($0.type)), field: FieldName(String($0.field))) }
    }

    /// `FIELD` of any type, or `TYPE.FIELD` by each way to split it.
    package static func fieldOfAnyType(_ text: String) throws(ValueProblem) -> (any: FieldName, fields: [ConflictStatistics.FieldKey]) {
        let any = FieldName(try Self.text(text))
        return (any, text.utf8.contains(UInt8(ascii: ".")) ? try fields(text) : [])
    }

    /// `TYPE=FIELD`, `TYPE.FIELD` by each way to split it, or `FIELD` of every type: the fields that are meant, those of every type without
    /// one.
    package static func displayField(_ text: String) throws(ValueProblem) -> [(type: RecordType?, field: FieldName)] {
        if text.utf8.contains(UInt8(ascii: "=")) {
            let assignment = try assignment(text, AssignmentForm(allowsType: true, value: .text))
            guard case .named(_, let type?, _, _) = assignment.target else { return [] }
            return [(type, FieldName(assignment.value))]
        }
        let (everywhere, fields) = try fieldOfAnyType(text)
        return fields.compactMap { key in key.field.map { (key.type, $0) } } + [(nil, everywhere)]
    }

    /// `TYPE.FIELD=VALUE` and its relatives.
    ///
    /// A field may contain equals signs, and so may the devices of a policy. The text is split where what follows is an allowed value, else
    /// at the last equals sign.
    package static func assignment(_ text: String, _ form: AssignmentForm) throws(ValueProblem) -> Assignment {
        let signs = text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "=") }
        guard let lastSign = signs.last else {
            guard form.allowsEverything else { throw ValueProblem("\(text.quoted) sets nothing; write it like \(form.described)") }
            return Assignment(.everything, try check(text, form.value))
        }
        // Any text would do after the first sign, so that free text cannot tell where it begins.
        let meant = form.value == .text ? nil : signs.first { allows(String(text[text.utf8.index(after: $0)...]), form.value) }
        let sign = meant ?? lastSign
        let (left, right) = (String(text[..<sign]), String(text[text.utf8.index(after: sign)...]))
        let hasDot = left.utf8.contains(UInt8(ascii: "."))
        guard !left.isEmpty else {
            throw ValueProblem("\(left.quoted) in \(text.quoted) does not name what is set; write it like \(form.described)")
        }
        let target = AssignmentTarget.named(
            left, type: form.allowsType ? RecordType(left) : nil, fields: hasDot ? try fields(left) : [],
            anyField: form.allowsType ? nil : FieldName(left))
        return Assignment(target, try check(right, form.value))
    }

    private static func allows(_ value: String, _ kind: AssignmentForm.Value) -> Bool {
        (try? check(value, kind)) != nil
    }

    private static func check(_ value: String, _ kind: AssignmentForm.Value) throws(ValueProblem) -> String {
        switch kind {
        case .text: try text(value)
        case .choice(let words): try choice(value, of: words)
        case .policy: try policy(value)
        }
    }
}
