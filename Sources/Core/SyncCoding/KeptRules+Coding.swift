package import SyncBytes
package import SyncMerge
import SyncModel

extension KeptRules {
    /// Appends the rules, types and fields in order, so that equal rules have equal bytes.
    package func encode(into encoder: inout StateEncoder) {
        encoder.append(Int64(version))
        standard.encode(into: &encoder)
        encoder.append(types.count)
        for (type, policy) in types.sorted(by: { $0.key < $1.key }) {
            encoder.append(type.rawValue)
            policy.encode(into: &encoder)
        }
        encoder.append(fields.count)
        for (type, own) in fields.sorted(by: { $0.key < $1.key }) {
            encoder.append(type.rawValue)
            encoder.append(own.count)
            for (field, policy) in own.sorted(by: { $0.key < $1.key }) {
                encoder.append(field.rawValue)
                policy.encode(into: &encoder)
            }
        }
        encoder.append(deletes.rawValue)
        encoder.append(intervals.windowMilliseconds)
        encoder.append(intervals.toleranceMilliseconds)
    }

    /// Reads what ``encode(into:)`` appended.
    package init(from decoder: inout StateDecoder) throws(CodingFailure) {
        let version = Int(truncatingIfNeeded: try decoder.signedNumber())
        let standard = try Policy(from: &decoder)
        var types: [RecordType: Policy] = [:]
        for _ in 0..<(try decoder.count()) { types[RecordType(try decoder.text())] = try Policy(from: &decoder) }
        var fields: [RecordType: [FieldName: Policy]] = [:]
        for _ in 0..<(try decoder.count()) {
            let type = RecordType(try decoder.text())
            for _ in 0..<(try decoder.count()) { fields[type, default: [:]][FieldName(try decoder.text())] = try Policy(from: &decoder) }
        }
        guard let deletes = DeletePolicy(rawValue: try decoder.text()) else { throw CodingFailure("there is no such rule for deletes") }
        let window = try decoder.signedNumber()
        // Earlier versions kept none.
        let tolerance = decoder.isAtEnd ? IntervalRule().toleranceMilliseconds : try decoder.signedNumber()
        guard window >= 0, tolerance >= 0 else { throw CodingFailure("a window is shorter than nothing") }
        self.init(
            version: version, standard: standard, types: types, fields: fields, deletes: deletes,
            intervals: IntervalRule(window: .milliseconds(window), tolerance: .milliseconds(tolerance)))
    }
}

extension KeptRules.Policy {
    fileprivate func encode(into encoder: inout StateEncoder) {
        encoder.append(UInt8((isCustom ? 1 : 0) | (isOfRecord ? 2 : 0)))
        encoder.append(name)
        encoder.append(devices.count)
        for device in devices { encoder.append(device.rawValue) }
    }

    fileprivate init(from decoder: inout StateDecoder) throws(CodingFailure) {
        let flags = try decoder.byte()
        let name = try decoder.text()
        var devices: [DeviceID] = []
        for _ in 0..<(try decoder.count()) { devices.append(DeviceID(try decoder.text())) }
        self.init(name: name, devices: devices, isCustom: flags & 1 != 0, isOfRecord: flags & 2 != 0)
    }
}
