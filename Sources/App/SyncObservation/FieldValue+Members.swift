public import SyncModel

extension FieldValue {
    private static let membersKey: FieldName = "$members"

    /// The value of a relationship to many records: a set of keys.
    ///
    /// An engine that keeps each membership by itself, as CloudKit's mirroring does, adds what several devices add. An arrival that holds
    /// every member of the value that it replaces has lost none, and is no conflict.
    ///
    /// ```swift
    /// let tags = FieldValue.members(["home", "urgent"])
    /// ```
    ///
    /// - Parameter keys: The identities of the records, in any order, each once or more.
    public static func members(_ keys: some Sequence<String>) -> FieldValue {
        [membersKey: .array(Set(keys).sorted().map { .string($0) })]
    }

    /// The members of a relationship to many; nil for any other value, and none where there is no value.
    private var members: Set<FieldValue>? {
        if self == .null { return [] }
        guard let object, object.count == 1, let elements = object[Self.membersKey]?.array else { return nil }
        return Set(elements)
    }

    /// Whether both are relationships to many, and this one has all members of the other.
    func holdsMembers(of other: FieldValue) -> Bool {
        guard self != other, self != .null, let mine = members, let theirs = other.members else { return false }
        return mine.isSuperset(of: theirs)
    }
}
