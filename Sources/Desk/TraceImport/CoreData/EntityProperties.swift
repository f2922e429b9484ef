import SyncBytes
import SyncModel

/// The properties of an entity by their bits in `ACHANGE.ZCOLUMNS`.
///
/// The highest bit of the first byte is the first property. To-one relationships come first, then what goes with them (the entity and the
/// order of the other end), then attributes, each in order of name, then relationships that have no column here. That order is Core Data's
/// own and documented nowhere; a column's name has lost the case of the property's, which the order may depend on.
struct EntityProperties {
    /// The names of the properties that have a column.
    private(set) var names: [FieldName] = []

    /// An entity of which nothing is known.
    init() {}

    /// Puts the columns of an entity's table into the order of the bits.
    ///
    /// - Parameter isIndexed: Whether the table has an index called for a column, as each to-one relationship has.
    init(_ columns: [CoreDataTables.Column], isIndexed: (String) -> Bool) {
        var groups: [[String]] = [[], [], [], []]
        for column in columns where column.name.hasPrefix("Z") && !["Z_PK", "Z_ENT", "Z_OPT"].contains(column.name) {
            let rest = column.name.dropFirst()
            if rest.hasPrefix("_FOK_") {
                groups[2].append(column.name)
            } else if let mark = rest.firstIndex(of: "_"), mark != rest.startIndex, rest[..<mark].allSatisfy(\.isNumber) {
                groups[1].append(column.name)
            } else {
                let isToOne = column.type == "INTEGER" && isIndexed(column.name)
                groups[isToOne ? 0 : 3].append(column.name)
            }
        }
        names = groups.flatMap { group in
            group.ordered { $0.lowercased().utf8.lexicographicallyPrecedes($1.lowercased().utf8) }.map { FieldName(String($0.dropFirst())) }
        }
    }

    /// The properties that bytes name, at most as many as there can be.
    ///
    /// - Returns: Nil where there are more bytes than an entity can have properties.
    static func bits(in bytes: [UInt8]) -> [UInt16]? {
        // SQLite's own limit for columns, and as many relationships without one.
        guard bytes.count <= 2 * 2000 / 8 else { return nil }
        var bits: [UInt16] = []
        for (index, byte) in bytes.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 { bits.append(UInt16(index * 8 + bit)) }
        }
        return bits
    }

    /// The name of a property; its number, from 1, where it has no column or the columns are not those of the bits.
    ///
    /// - Parameter bytes: How many bytes the bits were read from.
    func name(of bit: UInt16, bytes: Int) -> FieldName {
        bytes * 8 >= names.count && Int(bit) < names.count ? names[Int(bit)] : FieldName("#\(bit + 1)")
    }
}
