import SyncBytes

extension FieldValue {
    /// The Boolean of a true or false, nil for every other value.
    public var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The number nearest to that of a number value, nil for every other.
    public var double: Double? {
        if case .number(let number) = self { number.double } else { nil }
    }

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> FieldValue { .number(JSONNumber(value)) }

    /// A number, in the fewest digits that read back as the same; nil for infinities and not-a-number, which JSON cannot write.
    public static func double(_ value: Double) -> FieldValue? { JSONNumber(value).map(FieldValue.number) }

    /// A string that is not written here.
    ///
    /// ```swift
    /// try replica.put(["phone": FieldValue(number)], to: key)
    /// ```
    public init(_ string: some StringProtocol) { self = .string(String(string)) }

    /// A whole number that is not written here.
    public init(_ value: some BinaryInteger) { self = .integer(value) }

    /// True or false, as it is known only when the program runs.
    public init(_ flag: Bool) { self = .bool(flag) }

    /// Values in order.
    public init(_ elements: [FieldValue]) { self = .array(elements) }

    /// Values by name.
    public init(_ fields: FieldMap) { self = .object(fields) }
}

extension FieldValue: ExpressibleByStringInterpolation {}

extension FieldValue: CustomStringConvertible {
    /// The value as JSON.
    public var description: String { JSONText.string(self) }
}

extension FieldMap: CustomStringConvertible {
    /// The fields as a JSON object.
    public var description: String { JSONText.string(.object(self)) }
}
