package import SyncModel

/// The names that a scanner has met, as the numbers in its lines.
package struct ScannedNames: Sendable {
    package internal(set) var devices = NameTable()
    package internal(set) var recordTypes = NameTable()
    /// The owner is the type's number plus 1; the whole record of a type bears the name of the type and has no owner, which is 0.
    package internal(set) var fields = NameTable()
    /// The owner is the type's number plus 1.
    package internal(set) var records = NameTable(capacity: 1 << 17)

    /// The versions of the app that won, of which one may have no name.
    package internal(set) var apps = NameTable()
    /// The versions that lost; the owner is the number of the version that won plus 1.
    package internal(set) var appPairs = NameTable()

    /// How often names of records were forgotten: the others have other numbers since.
    package private(set) var generation = 0

    /// No names.
    package init() {}

    /// The record of a number.
    package func key(ofRecord number: Int32) -> RecordKey {
        let (owner, id) = records.name(Int(number))
        return RecordKey(type: RecordType(recordTypes.name(owner - 1).text), id: RecordID(id))
    }

    /// Gives away the names of records.
    package mutating func drainRecords() -> NameTable {
        let taken = records
        records = NameTable()
        return taken
    }

    /// Forgets the names of all records but some, which are numbered anew in their order.
    ///
    /// - Complexity: O(*n*) in the names kept.
    package mutating func keepRecords(_ numbers: [Int]) {
        var kept = NameTable(capacity: 1 << 17)
        _ = kept.numbers(of: numbers.map { ($0, records.owner($0)) }, in: records)
        records = kept
        generation += 1
    }

    /// The numbers that another scanner's names have here.
    package struct Numbers {
        package fileprivate(set) var devices: [Int] = []
        package fileprivate(set) var recordTypes: [Int] = []
        package fileprivate(set) var fields: [Int] = []
        package fileprivate(set) var appPairs: [Int] = []
    }

    /// Takes over the names of another scanner but those of records, of which there are many.
    ///
    /// - Complexity: O(*n*) in its names.
    package mutating func adopt(_ other: ScannedNames) -> Numbers {
        var numbers = Numbers()
        numbers.devices = devices.adopt(other.devices) { _ in 0 }
        numbers.recordTypes = recordTypes.adopt(other.recordTypes) { _ in 0 }
        numbers.fields = fields.adopt(other.fields) { $0 == 0 ? 0 : numbers.recordTypes[$0 - 1] + 1 }
        let winners = apps.adopt(other.apps) { _ in 0 }
        numbers.appPairs = appPairs.adopt(other.appPairs) { winners[$0 - 1] + 1 }
        return numbers
    }
}
