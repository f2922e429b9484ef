import SyncModel

/// Makes stamps, in room that it keeps from one to the next.
struct StampMaker: Sendable {
    private var writer = StampWriter()
    private var entries: [RecordStamp.Entry] = []
    /// The attributes of the last stamps: mostly those of the next ones too.
    private var attributes: [FieldName] = []

    /// Makes the stamps of a put's fields.
    mutating func fieldStamps(
        for fields: FieldMap, _ change: LocalChange, _ record: StampedRecord?, _ attributes: [FieldName: FieldName],
        _ device: DeviceID, _ numbers: inout WriteNumbers
    ) -> FieldMap {
        var names: [FieldName] = []
        var texts: [FieldValue] = []
        for field in fields {
            guard let attribute = attributes[field.name] else { continue }
            let (vector, isFogged) = Self.context(of: field.name, in: record, change, stampedBy: attribute)
            writer.clear()
            FieldStamp.write(
                Dot(device: device, sequence: numbers.take()), vector, isFogged: isFogged, ValueHash(field.value), to: &writer)
            var index = names.count
            while index > 0, attribute < names[index - 1] { index -= 1 }
            names.insert(attribute, at: index)
            texts.insert(.string(writer.text), at: index)
        }
        return map(names, texts)
    }

    /// Makes the stamp of a put's record, which describes what waits to be exported too.
    mutating func recordStamp(
        for fields: FieldMap, _ change: LocalChange, _ record: StampedRecord?, _ attribute: FieldName, _ state: ObserverState,
        _ number: UInt64, at time: WallTime
    ) -> FieldMap {
        entries.removeAll(keepingCapacity: true)
        var waiting = (record?.fields ?? [])[...]
        for field in fields where field.name != attribute {
            while let next = waiting.first, next.name < field.name { append(waiting.removeFirst(), of: record, state) }
            if waiting.first?.name == field.name { waiting.removeFirst() }
            let (vector, isFogged) = Self.context(of: field.name, in: record, change, stampedBy: nil)
            entries.append(
                RecordStamp.Entry(name: field.name, sequence: number, vector: vector, isFogged: isFogged, hash: ValueHash(field.value)))
        }
        for field in waiting { append(field, of: record, state) }
        writer.clear()
        RecordStamp.write(Dot(device: state.writer, sequence: number), time, entries, to: &writer)
        return map([attribute], [.string(writer.text)])
    }

    private mutating func append(_ field: StampedRecord.Field, of record: StampedRecord?, _ state: ObserverState) {
        guard let record, let own = field.own,
            state.progress(of: field.transaction, begun: record.begun, ended: record.ended) == .waiting
        else { return }
        entries.append(own)
    }

    /// A map of stamps that shares the names of the last one where they are equal.
    private mutating func map(_ names: [FieldName], _ texts: [FieldValue]) -> FieldMap {
        if names != attributes { attributes = names }
        return FieldMap(sortedNames: attributes, values: texts)
    }

    /// Every version that a field's writer has held, as the editing context showed the field, and whether some may be missing.
    private static func context(
        of name: FieldName, in record: StampedRecord?, _ change: LocalChange, stampedBy attribute: FieldName?
    ) -> (vector: VersionVector, isFogged: Bool) {
        let shown = attribute.flatMap { change.snapshot[$0]?.string }.flatMap { FieldStamp($0) }
        guard let record, let index = record.index(of: name) else {
            // A field of a record that was never seen may have had any number of versions, unless the record is made now.
            let isFogged = record?.wasDeletedThere ?? false || shown?.isFogged ?? (record == nil && !change.isNew)
            return (shown?.vector ?? VersionVector(), isFogged)
        }
        let fields = record.fields.span
        guard let shown else { return (fields[index].held, fields[index].isFogged) }
        return (fields[index].held(while: shown.dot), fields[index].isFogged || shown.isFogged)
    }
}
