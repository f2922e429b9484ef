import SyncModel

/// Makes stamps, in room that it keeps from one to the next.
struct StampMaker: ~Copyable, Sendable {
    private var writer = StampWriter()
    private var entries: [RecordStamp.Entry] = []
    private var names: [FieldName] = []
    /// The attributes of the last stamps, which mostly are those of the next ones too, and then share their memory.
    private var lastNames: [FieldName] = []

    /// Makes the stamps of a put's fields.
    ///
    /// - Parameter record: What is known of the record; nil where nothing is.
    mutating func fieldStamps(
        for fields: FieldMap, shownAs snapshot: FieldMap, isNew: Bool, _ record: consuming StampedFields?,
        _ attributes: [FieldName: FieldName], _ device: DeviceID, _ numbers: inout WriteNumbers
    ) -> FieldMap {
        names.removeAll(keepingCapacity: true)
        var texts: [FieldValue] = []
        for field in fields {
            guard let attribute = attributes[field.name] else { continue }
            let known = record?.field(field.name)
            let shown = snapshot[attribute]?.string.flatMap { FieldStamp($0) }
            let (vector, isFogged) = Self.context(of: known, in: &record, isNew: isNew, shown, device)
            writer.clear()
            FieldStamp.write(
                Dot(device: device, sequence: numbers.take()), vector, isFogged: isFogged, ValueHash(field.value), to: &writer)
            var index = names.count
            while index > 0, attribute < names[index - 1] { index -= 1 }
            names.insert(attribute, at: index)
            texts.insert(.string(writer.text), at: index)
        }
        if names != lastNames { lastNames = names }
        return FieldMap(sortedNames: lastNames, values: texts)
    }

    /// Makes the stamp of a put's record, which describes what waits to be exported too.
    mutating func recordStamp(
        for fields: FieldMap, isNew: Bool, _ record: consuming StampedFields?, _ attribute: FieldName, _ state: ObserverState,
        _ number: UInt64, at time: WallTime
    ) -> FieldMap {
        entries.removeAll(keepingCapacity: true)
        for field in fields where field.name != attribute {
            while let other = record?.next, other.name < field.name {
                if let waiting = record?.waiting(other, state) { entries.append(waiting) }
                record?.advance()
            }
            let known = record?.field(field.name)
            let (vector, isFogged) = Self.context(of: known, in: &record, isNew: isNew, nil, state.writer)
            entries.append(
                RecordStamp.Entry(name: field.name, sequence: number, vector: vector, isFogged: isFogged, hash: ValueHash(field.value)))
        }
        while let other = record?.next {
            if let waiting = record?.waiting(other, state) { entries.append(waiting) }
            record?.advance()
        }
        writer.clear()
        RecordStamp.write(Dot(device: state.writer, sequence: number), time, entries, to: &writer)
        if lastNames.count != 1 || lastNames[0] != attribute { lastNames = [attribute] }
        return FieldMap(sortedNames: lastNames, values: [.string(writer.text)])
    }

    /// Every version that a field's writer has held besides its own, as the editing context showed the field, and whether some may be
    /// missing.
    ///
    /// - Parameters:
    ///   - field: What is known of the field.
    ///   - shown: The field's stamp in the editing context, where it has one of its own.
    private static func context(
        of field: StampedFields.Field?, in record: inout StampedFields?, isNew: Bool, _ shown: FieldStamp?, _ device: DeviceID
    ) -> (vector: VersionVector, isFogged: Bool) {
        guard let field else {
            // A field of a record that was never seen may have had any number of versions, unless the record is made now.
            let isFogged = record?.mayHaveOthers ?? false || shown?.isFogged ?? (record == nil && !isNew)
            return (shown?.vector ?? VersionVector(), isFogged)
        }
        let held = shown.map { record?.held(field, while: $0.dot, besides: device) } ?? record?.held(field, besides: device)
        return (held ?? VersionVector(), field.isFogged || shown?.isFogged ?? false)
    }
}
