package import Foundation
package import SyncModel

extension WallTime {
    /// The wall time of a date; parts of a millisecond are left off.
    package init(_ date: Date) { self.init(millisecondsSince1970: Int64(date.timeIntervalSince1970 * 1000)) }
}

extension FieldValue {
    /// An attribute's value as the log has it; nil for a value that cannot be compared.
    ///
    /// Dates are milliseconds since 1970, and true is 1, for stores give back numbers for both; an enumeration is its raw value. Data is
    /// given by its length and a hash: equal data is equal, and lost data cannot be restored from the log. The parts of a composite are an
    /// object without those that are empty.
    package init?(attribute value: Any?) {
        switch value {
        case nil, is NSNull: self = .null
        case let value as String: self = .string(value)
        case let value as Date: self = .number(JSONNumber(Int64((value.timeIntervalSince1970 * 1000).rounded())))
        case let value as UUID: self = .string(value.uuidString)
        case let value as URL: self = .string(value.absoluteString)
        case let value as Data:
            self = ["$data": .number(JSONNumber(value.count)), "hash": .string(String(value.fingerprint, radix: 16))]
        case let value as NSDecimalNumber: self = .string(value.stringValue)
        case let value as NSNumber: self.init(number: value)
        case let value as Bool: self = .number(JSONNumber(value ? 1 : 0))
        case let value as any BinaryInteger: self = .number(JSONNumber(Int64(clamping: value)))
        case let value as Double: self.init(number: NSNumber(value: value))
        case let value as Float: self.init(number: NSNumber(value: Double(value)))
        case let value as Decimal: self = .string("\(value)")
        case let value as any RawRepresentable: self.init(attribute: value.anyRawValue)
        case let values as [Any]:
            let elements = values.compactMap { FieldValue(attribute: $0) }
            guard elements.count == values.count else { return nil }
            self = .array(elements)
        case let parts as [String: Any]:
            var fields = FieldMap()
            for (name, part) in parts {
                guard let part = FieldValue(attribute: part) else { return nil }
                if part != .null { fields[FieldName(name)] = part }
            }
            self = .object(fields)
        default: return nil
        }
    }

    /// A whole number is the same whether it was kept as an integer or not.
    private init?(number: NSNumber) {
        if NSNumber(value: number.int64Value) == number {
            self = .number(JSONNumber(number.int64Value))
        } else if let number = JSONNumber(number.doubleValue) {
            self = .number(number)
        } else {
            return nil
        }
    }
}

extension RawRepresentable {
    fileprivate var anyRawValue: Any { rawValue }
}

extension Data {
    /// Source: Fowler, Noll, Vo, *FNV-1a*, 64 bits.
    fileprivate var fingerprint: UInt64 {
        reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
