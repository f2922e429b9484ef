package import SyncBytes
import SyncLines
package import SyncModel

/// A tree of named keys for another program: one JSON object, its keys in the order in which they are declared.
///
/// A key whose value is nil is left out. Lists whose length is not bounded are ``Rows``.
///
/// ```swift
/// let document: Document = ["id": "3f2a", "name": nil, "characters": 12]
/// print(String(decoding: document.json, as: UTF8.self))  // {"id":"3f2a","characters":12}
/// ```
package struct Document: ExpressibleByDictionaryLiteral {
    private var members: [(key: String, value: (any DocumentValue)?)]

    /// The keys and their values.
    package init(dictionaryLiteral members: (String, (any DocumentValue)?)...) { self.members = members }

    /// The keys of some documents as those of one.
    init(_ parts: Document...) { members = parts.flatMap(\.members) }

    /// Keys that come from data.
    init(members: [(String, some DocumentValue)]) { self.members = members.map { ($0, $1) } }

    /// Every name with its count, 0 where nothing was counted.
    init<Name: RawRepresentable<String> & CaseIterable & Hashable>(counts: [Name: Int]) {
        members = Name.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    /// The document with its keys in the order of their bytes.
    var sorted: Document {
        var document = self
        document.members = members.ordered { $0.key.utf8Precedes($1.key) }
        return document
    }

    /// The document on one line, ended by a line feed.
    package var json: [UInt8] {
        var buffer = LineBuffer()
        append(to: &buffer)
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}

/// What a key of a ``Document`` may hold.
package protocol DocumentValue {
    /// Appends the value as JSON.
    func append(to buffer: inout LineBuffer)
}

extension Document: DocumentValue {
    package func append(to buffer: inout LineBuffer) {
        buffer.object { object in
            for case (let key, let value?) in members {
                object.key(named: key)
                value.append(to: &object)
            }
        }
    }
}

/// A list of objects, each of which is made when it is written, so that a list as long as a log takes no memory.
struct Rows: DocumentValue {
    private let write: (inout LineBuffer) -> Void

    /// An object for each element.
    ///
    /// - Parameter elements: Asked for when they are written, so that they are not held beside what was written of them.
    init<Element>(_ elements: @autoclosure @escaping () -> some Sequence<Element>, _ row: @escaping (Element) -> Document) {
        write = { buffer in buffer.list(elements()) { row($1).append(to: &$0) } }
    }

    package func append(to buffer: inout LineBuffer) { write(&buffer) }
}

/// A time in milliseconds since 1970.
struct Time: DocumentValue {
    let milliseconds: Int64

    init(_ milliseconds: Int64) { self.milliseconds = milliseconds }

    package func append(to buffer: inout LineBuffer) { JSONText.append(date: milliseconds, to: &buffer) }
}

/// A number that need not be whole, with three decimals at most.
struct Number: DocumentValue {
    let number: Double

    init(_ number: Double) { self.number = number }

    package func append(to buffer: inout LineBuffer) { buffer.append(verbatim: number.shortened) }
}

extension Array: DocumentValue where Element: DocumentValue {
    package func append(to buffer: inout LineBuffer) { buffer.list(self) { $1.append(to: &$0) } }
}

extension String: DocumentValue {
    package func append(to buffer: inout LineBuffer) { JSONText.append(self, to: &buffer) }
}

extension Bool: DocumentValue {
    package func append(to buffer: inout LineBuffer) { buffer.append(self ? "true" : "false") }
}

extension DocumentValue where Self: FixedWidthInteger {
    package func append(to buffer: inout LineBuffer) { buffer.append(decimal: UInt64(magnitude), isNegative: self < 0) }
}

extension Int: DocumentValue {}
extension Int64: DocumentValue {}
extension UInt64: DocumentValue {}

extension FieldValue: DocumentValue {
    package func append(to buffer: inout LineBuffer) { JSONText.append(self, to: &buffer) }
}

extension DocumentValue where Self: StringIdentifier {
    package func append(to buffer: inout LineBuffer) { JSONText.append(rawValue, to: &buffer) }
}

extension DeviceID: DocumentValue {}
extension FieldName: DocumentValue {}
extension RecordID: DocumentValue {}
extension RecordType: DocumentValue {}
