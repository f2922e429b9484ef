#if canImport(SwiftData)
    import Foundation
    import SwiftData
    import SyncObservationFoundation

    /// How the values of an attribute of a model are known, by the attribute's type and name.
    enum AttributeKind {
        /// The model shows the value that the store has.
        case plain
        /// The model shows the record that it refers to.
        case reference
        /// The model shows the value, and the store may have it in another form: an enumeration, a structure, a list.
        case composite
        /// The store alone tells: a relationship to many, of which one end may be made from the other.
        case members
        /// A date that every save sets.
        case modificationDate

        init(_ type: Any.Type, name: String) {
            var type = type
            while let optional = type as? any OptionalValue.Type { type = optional.content }
            self =
                if type is Date.Type, ModificationDates.contains(name) {
                    .modificationDate
                } else if Self.isPlain(type) {
                    .plain
                } else if type is any PersistentModel.Type {
                    .reference
                } else if type is any ModelCollection.Type {
                    .members
                } else {
                    .composite
                }
        }

        private static func isPlain(_ type: Any.Type) -> Bool {
            type is String.Type || type is Bool.Type || type is any BinaryInteger.Type || type is Double.Type || type is Float.Type
                || type is Decimal.Type || type is Date.Type || type is UUID.Type || type is URL.Type || type is Data.Type
        }
    }

    /// An optional, whatever is in it.
    protocol OptionalValue {
        static var content: Any.Type { get }
        var value: Any? { get }
    }

    extension Optional: OptionalValue {
        static var content: Any.Type { Wrapped.self }
        var value: Any? { map { $0 } }
    }

    /// A relationship to many.
    private protocol ModelCollection {}

    extension Array: ModelCollection where Element: PersistentModel {}
    extension Set: ModelCollection where Element: PersistentModel {}

    /// A value without the optionals around it.
    func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.value.flatMap { unwrapped($0) }
    }
#endif
