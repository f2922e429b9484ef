import Foundation
package import SyncModel

extension FieldValue {
    /// The parts of an encodable value as an object, in the forms of ``init(attribute:)``; nil where it cannot be encoded.
    package init?(parts value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Int64((date.timeIntervalSince1970 * 1000).rounded()))
        }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
        guard let data = try? encoder.encode(value),
            let parts = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        else { return nil }
        self.init(attribute: parts)
    }
}
