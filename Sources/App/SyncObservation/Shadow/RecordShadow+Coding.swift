import SyncBytes
import SyncCoding
import SyncModel

extension RecordShadow {
    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(fields.count)
        for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
            encoder.append(name.rawValue)
            field.encode(into: &encoder)
        }
        encoder.append(deletion)
        encoder.append(returningDelete)
        encoder.append(wasDeletedThere ? 1 : 0 as UInt8)
        encoder.append(isLive ? 1 : 0 as UInt8)
        for number in [begun, ended, unanswered, saved, arrived] { encoder.append(number) }
        for number in [serverNumber, everyFieldArrived, deletionArrived] { encoder.append(number) }
        encoder.append(reported.count)
        for conflict in reported { encoder.append(conflict) }
        encoder.append(isOlder ? 1 : 0 as UInt8)
        return encoder.bytes
    }

    init(encoded bytes: [UInt8]) throws(CodingFailure) {
        var decoder = try StateDecoder(bytes)
        for _ in 0..<(try decoder.count()) {
            let name = FieldName(try decoder.text())
            fields[name] = try FieldShadow(from: &decoder)
        }
        deletion = try decoder.heldVersion()
        returningDelete = try decoder.optionalNumber()
        wasDeletedThere = try decoder.flag()
        isLive = try decoder.flag()
        begun = try decoder.signedNumber()
        ended = try decoder.signedNumber()
        unanswered = try decoder.signedNumber()
        saved = try decoder.signedNumber()
        arrived = try decoder.signedNumber()
        serverNumber = try decoder.number()
        everyFieldArrived = try decoder.number()
        deletionArrived = try decoder.number()
        for _ in 0..<(try decoder.count()) { reported.append(try decoder.number()) }
        isOlder = decoder.isAtEnd ? false : try decoder.flag()
        try decoder.finish()
    }
}

extension FieldShadow {
    fileprivate func encode(into encoder: inout StateEncoder) {
        encoder.append(current)
        encoder.append(pending)
        encoder.append(vector)
        encoder.append(isFogged ? 1 : 0 as UInt8)
        encoder.append(shown.count)
        for version in shown {
            encoder.append(version.dot.device)
            encoder.append(version.dot.sequence)
            encoder.append(version.vector)
        }
        encoder.append(earlier.count)
        for hash in earlier { encoder.append(hash) }
        encoder.append(lastArrived)
        encoder.append(mergedIn == nil ? 0 : 1 as UInt8)
        if let mergedIn {
            encoder.append(mergedIn.hash)
            encoder.append(mergedIn.vector)
            encoder.append(mergedIn.isFogged ? 1 : 0 as UInt8)
            encoder.append(mergedIn.number)
        }
        encoder.append(exported.count)
        for value in exported {
            encoder.append(value.transaction)
            encoder.append(value.hash)
            encoder.append(value.number)
            encoder.append(value.arrived)
        }
        encoder.append(arrived)
    }

    fileprivate init(from decoder: inout StateDecoder) throws(CodingFailure) {
        current = try decoder.heldVersion()
        pending = try decoder.heldVersion()
        vector = try decoder.vector()
        isFogged = try decoder.flag()
        for _ in 0..<(try decoder.count()) {
            shown.append(ShownVersion(dot: try decoder.dot(), vector: try decoder.vector()))
        }
        for _ in 0..<(try decoder.count()) { earlier.append(try decoder.number()) }
        lastArrived = try decoder.optionalUnsigned()
        if try decoder.flag() {
            mergedIn = MergedVersion(
                hash: try decoder.number(), vector: try decoder.vector(), isFogged: try decoder.flag(), number: try decoder.number())
        }
        for _ in 0..<(try decoder.count()) {
            exported.append(
                ExportedValue(
                    transaction: try decoder.signedNumber(), hash: try decoder.number(), number: try decoder.optionalUnsigned(),
                    arrived: try decoder.number()))
        }
        arrived = try decoder.number()
    }
}

extension StateEncoder {
    fileprivate mutating func append(_ version: HeldVersion?) {
        append(version == nil ? 0 : 1 as UInt8)
        guard let version else { return }
        append(version.dot == nil ? 0 : 1 as UInt8)
        if let dot = version.dot {
            append(dot.device)
            append(dot.sequence)
        }
        append(version.value)
        append(version.timestamp)
        append(version.vector)
        append(version.transaction)
        append(version.receipt?.milliseconds)
        append(version.receipt?.hubSequence)
    }

    fileprivate mutating func append(_ number: Int64?) {
        append(number == nil ? 0 : 1 as UInt8)
        append(number ?? 0)
    }

    fileprivate mutating func append(_ number: UInt64?) {
        append(number == nil ? 0 : 1 as UInt8)
        append(number ?? 0)
    }
}

extension StateDecoder {
    fileprivate mutating func heldVersion() throws(CodingFailure) -> HeldVersion? {
        guard try flag() else { return nil }
        let dot: Dot? = try flag() ? try dot() : nil
        let value = try value()
        let timestamp = try timestamp()
        let vector = try vector()
        let transaction = try optionalNumber()
        let milliseconds = try optionalNumber()
        let sequence = try optionalUnsigned()
        let receipt =
            milliseconds == nil && sequence == nil ? nil : TaggedWrite.Receipt(milliseconds: milliseconds, hubSequence: sequence)
        return HeldVersion(dot: dot, value: value, timestamp: timestamp, vector: vector, transaction: transaction, receipt: receipt)
    }

    fileprivate mutating func dot() throws(CodingFailure) -> Dot {
        let device = try device()
        let sequence = try number()
        guard sequence >= 1 else { throw CodingFailure("a write has the number 0") }
        return Dot(device: device, sequence: sequence)
    }

    fileprivate mutating func optionalUnsigned() throws(CodingFailure) -> UInt64? {
        let hasNumber = try flag()
        let number = try number()
        return hasNumber ? number : nil
    }

    fileprivate mutating func optionalNumber() throws(CodingFailure) -> Int64? {
        let hasNumber = try flag()
        let number = try signedNumber()
        return hasNumber ? number : nil
    }
}
