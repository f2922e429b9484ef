import FileFormats
import SyncBytes
import SyncModel

extension FieldValue {
    /// The value of a property list in XML; nil where it is none, a key occurs twice, or JSON has no such number or depth.
    init?(propertyList bytes: [UInt8]) {
        guard let list = try? XMLPropertyList.parse(bytes) else { return nil }
        self.init(list, depth: 0)
    }

    private init?(_ list: PropertyList, depth: Int) {
        guard depth < JSONParser.maximumDepth else { return nil }
        switch list.value {
        case .string(let text), .date(let text), .data(let text): self = .string(text)
        case .bool(let flag): self = .bool(flag)
        case .number(let digits):
            guard let value = try? JSONParser.parse(digits), case .number = value else { return nil }
            self = value
        case .array(let elements):
            let values = elements.compactMap { FieldValue($0, depth: depth + 1) }
            guard values.count == elements.count else { return nil }
            self = .array(values)
        case .dictionary(let entries):
            let elements = entries.compactMap { entry in
                FieldValue(entry.value, depth: depth + 1).map { FieldMap.Element(name: FieldName(entry.key), value: $0) }
            }
            guard elements.count == entries.count, let fields = try? FieldMap(unordered: elements) else { return nil }
            self = .object(fields)
        }
    }
}
