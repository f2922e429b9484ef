package import SyncBytes
package import SyncModel

extension ByteReader {
    package mutating func fields() throws(CodingFailure) -> FieldMap { try fields(depth: 0) }

    private mutating func fields(depth: Int) throws(CodingFailure) -> FieldMap {
        let count = try count()
        var names: [FieldName] = []
        var values: [FieldValue] = []
        // No more than a damaged count is worth.
        names.reserveCapacity(min(count, 64))
        values.reserveCapacity(min(count, 64))
        for _ in 0..<count {
            let name = FieldName(try text())
            if let last = names.last, !(last < name) { throw CodingFailure("the fields are out of order") }
            names.append(name)
            values.append(try value(depth: depth))
        }
        return FieldMap(sortedNames: names, values: values)
    }

    /// A number by the grammar of JSON and in its range, as every other that comes from outside.
    private mutating func decimal() throws(CodingFailure) -> JSONNumber {
        let text = try text()
        do throws(JSONError) {
            if case .number(let number) = try JSONParser.parse(text), number.text.utf8.count == text.utf8.count { return number }
        } catch {}
        throw CodingFailure("\(text.quoted) is no number")
    }

    package mutating func value() throws(CodingFailure) -> FieldValue { try value(depth: 0) }

    /// - Parameter depth: In how many arrays and objects it is nested.
    private mutating func value(depth: Int) throws(CodingFailure) -> FieldValue {
        guard depth <= JSONParser.maximumDepth else { throw CodingFailure("a value is nested too deep") }
        switch try byte() {
        case ValueTag.null: return .null
        case ValueTag.false: return .bool(false)
        case ValueTag.true: return .bool(true)
        case ValueTag.number: return .number(try decimal())
        case ValueTag.integer: return .number(JSONNumber(try signedNumber()))
        case ValueTag.string: return .string(try text())
        case ValueTag.object: return .object(try fields(depth: depth + 1))
        case ValueTag.array:
            var elements: [FieldValue] = []
            for _ in 0..<(try count()) { elements.append(try value(depth: depth + 1)) }
            return .array(elements)
        case let tag: throw CodingFailure("a value has the unknown kind \(tag)")
        }
    }
}

extension ByteWriter {
    package mutating func fields(_ fields: FieldMap) {
        number(UInt64(fields.count))
        fields.forEachField { name, value in
            text(name.rawValue)
            self.value(value)
        }
    }

    package mutating func value(_ value: FieldValue) {
        switch value {
        case .null: byte(ValueTag.null)
        case .bool(let flag): byte(flag ? ValueTag.true : ValueTag.false)
        case .number(let number):
            // Only a string that comes back the same may be kept as a number.
            if let integer = Int64(number.text), number.text.utf8.first != UInt8(ascii: "+"), String(integer) == number.text {
                byte(ValueTag.integer)
                signedNumber(integer)
            } else {
                byte(ValueTag.number)
                text(number.text)
            }
        case .string(let text):
            byte(ValueTag.string)
            self.text(text)
        case .array(let elements):
            byte(ValueTag.array)
            number(UInt64(elements.count))
            for element in elements { self.value(element) }
        case .object(let map):
            byte(ValueTag.object)
            fields(map)
        }
    }
}

/// The kinds of values, as they are in bytes.
enum ValueTag {
    static let null: UInt8 = 0
    static let `false`: UInt8 = 1
    static let `true`: UInt8 = 2
    static let number: UInt8 = 3
    static let integer: UInt8 = 4
    static let string: UInt8 = 5
    static let array: UInt8 = 6
    static let object: UInt8 = 7
}
