public import SyncModel

/// The value that a write carries for a field under the `counter` policy: the running total of what its device has counted since the
/// counter was last set or its record deleted, as far as the device had seen.
///
/// In JSON `{"$counter": n}`.
///
/// ```swift
/// let visits = CounterWrite(total: 3)
/// let fields: FieldMap = ["visits": visits.value]
/// ```
public struct CounterWrite: Hashable, Sendable {
    /// The device's running total.
    public let total: Int64

    /// A running total.
    public init(total: Int64) {
        self.total = total
    }

    /// Reads a running total; nil where the value is something else.
    public init?(_ value: FieldValue) {
        guard let fields = value.object, fields.count == 1, let total = fields["$counter"]?.integer else { return nil }
        self.total = total
    }

    /// Whether a value can be part of a sum: a running total, a whole number of 64 bits, or a removal, which counts as 0.
    package static func canCount(_ value: FieldValue) -> Bool {
        value == .null || value.integer != nil || CounterWrite(value) != nil
    }

    /// The value as it is written.
    public var value: FieldValue { ["$counter": .number(JSONNumber(total))] }
}

/// The value that a write carries for a field under the `set` policy: elements added and removed.
///
/// In JSON `{"$add": […], "$remove": […]}`. An element that occurs in both is added.
///
/// ```swift
/// let tags = SetWrite(added: ["vip"], removed: ["customer"])
/// let fields: FieldMap = ["tags": tags.value]
/// ```
public struct SetWrite: Hashable, Sendable {
    /// The elements added.
    public let added: [FieldValue]

    /// The elements removed, as far as the writer had seen them added.
    public let removed: [FieldValue]

    /// Elements added and removed.
    public init(added: [FieldValue] = [], removed: [FieldValue] = []) {
        self.added = added
        self.removed = removed
    }

    /// Reads elements added and removed; nil where the value is something else.
    public init?(_ value: FieldValue) {
        guard let fields = value.object, !fields.isEmpty, fields.allSatisfy({ $0.name == "$add" || $0.name == "$remove" }),
            let added = (fields["$add"] ?? []).array, let removed = (fields["$remove"] ?? []).array
        else { return nil }
        self.init(added: added, removed: removed)
    }

    /// The value as it is written.
    public var value: FieldValue {
        var fields = FieldMap()
        if !added.isEmpty || removed.isEmpty { fields["$add"] = .array(added) }
        if !removed.isEmpty { fields["$remove"] = .array(removed) }
        return .object(fields)
    }
}

extension FieldValue {
    /// Whether a value changes a counter or a set instead of replacing it, and so shows only together with others.
    package var isChange: Bool { CounterWrite(self) != nil || SetWrite(self) != nil }
}
