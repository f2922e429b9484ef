import SyncBytes

/// Values made from names, so that the value of a name that is in many lines is made and kept in memory once.
///
/// Bounded: once it has its limit of values it forgets them and begins anew, so that names that occur once cost nothing.
struct NameMemo<Value: Sendable>: Sendable {
    private let limit: Int
    private var names = NameTable()
    private var values: [Value] = []
    /// The bytes of values that are long identifiers.
    private var arena = IdentifierArena()

    /// A memo that holds at most `limit` values.
    init(limit: Int) { self.limit = limit }

    /// The value of a name.
    ///
    /// - Parameter make: Makes the value where it is not known.
    mutating func value(of name: LineCursor.Text, _ make: (LineCursor.Text, inout IdentifierArena) -> Value) -> Value {
        let number = names.number(of: name)
        if number < values.count { return values[number] }
        let value = make(name, &arena)
        if values.count == limit { self = NameMemo(limit: limit) } else { values.append(value) }
        return value
    }
}
