import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

extension Conflict {
    /// Appends the conflict with the values of its register; not what it knows of a table's versions.
    func encode(into encoder: inout StateEncoder) {
        encoder.append(id.rawValue)
        let words = [kind.rawValue, severity.rawValue, basis.rawValue, resolution.rawValue, reason.rawValue, policy]
        for word in words { encoder.append(word) }
        encoder.append(key)
        encoder.append(field?.rawValue)
        encoder.append(related == nil ? 0 : 1 as UInt8)
        if let related { encoder.append(related) }
        winner.encode(into: &encoder)
        loser.encode(into: &encoder)
        encoder.append(ancestor)
        encoder.append(result)
        encoder.append(gapMilliseconds)
        encoder.append(windowMilliseconds)
        encoder.append(flags.bits)
        encoder.append(name?.field.rawValue)
        encoder.append(name?.text)
    }

    /// Reads what ``encode(into:)`` appended.
    init(from decoder: inout StateDecoder) throws(CodingFailure) {
        let id = ConflictID(rawValue: try decoder.number())
        let kind: Kind = try decoder.word()
        let severity: Severity = try decoder.word()
        let basis: Basis = try decoder.word()
        let resolution: Resolution = try decoder.word()
        let reason: Reason = try decoder.word()
        let (policy, key) = (try decoder.text(), try decoder.key())
        let field = try decoder.optionalText().map { FieldName($0) }
        let related = try decoder.flag() ? try decoder.key() : nil
        let (winner, loser) = (try Side(from: &decoder), try Side(from: &decoder))
        let (ancestor, result) = (try decoder.optionalValue(), try decoder.optionalValue())
        let (gap, window, bits) = (try decoder.signedNumber(), try decoder.signedNumber(), try decoder.byte())
        self.init(
            id: id, kind: kind, severity: severity, basis: basis, key: key, field: field, related: related, winner: winner, loser: loser,
            writtenAncestor: ancestor.map(WrittenValue.init), result: result, gapMilliseconds: gap, windowMilliseconds: window,
            policy: policy, resolution: resolution, reason: reason, flags: Flags(bits: bits))
        let (nameField, text) = (try decoder.optionalText(), try decoder.optionalText())
        if let nameField, let text { name = RecordName(field: FieldName(nameField), value: .string(text)) }
    }
}

extension Conflict.Side {
    func encode(into encoder: inout StateEncoder) {
        encoder.append(dot.device)
        encoder.append(dot.sequence)
        encoder.append(timestamp)
        encoder.append(operation == .delete ? 1 : 0 as UInt8)
        encoder.append(value)
        encoder.append(app)
    }

    init(from decoder: inout StateDecoder) throws(CodingFailure) {
        let (device, sequence, timestamp) = (try decoder.device(), try decoder.number(), try decoder.timestamp())
        guard sequence >= 1 else { throw CodingFailure("a write has the number 0") }
        let operation: Operation = try decoder.flag() ? .delete : .put
        self.init(
            dot: Dot(device: device, sequence: sequence), timestamp: timestamp, operation: operation,
            value: try decoder.optionalValue(), app: try decoder.optionalText())
    }
}

extension StateEncoder {
    fileprivate mutating func append(_ text: String?) {
        append(text == nil ? 0 : 1 as UInt8)
        if let text { append(text) }
    }
}

extension StateDecoder {
    fileprivate mutating func optionalText() throws(CodingFailure) -> String? { try flag() ? try text() : nil }

    /// A word of a fixed list.
    fileprivate mutating func word<Word: RawRepresentable<String>>() throws(CodingFailure) -> Word {
        let text = try text()
        guard let word = Word(rawValue: text) else { throw CodingFailure("\(text.quoted) is no \(Word.self)") }
        return word
    }
}
