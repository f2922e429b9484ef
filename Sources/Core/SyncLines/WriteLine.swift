package import SyncBytes
package import SyncModel

/// The JSON form of a write, as it is in logs and traces.
///
/// A log's line has `v`, `ts`, `seq`, `source` and `event` first, and the rest of a write after; the bare form leaves out `v`, `seq` and
/// `source`, and may leave out `n`, `counter`, `received`, `app`, `order`, `carried`, and what says what the writer had seen: `seen`,
/// `cursor`, or `rev` and `parents`.
package enum WriteLine {
    /// Appends the keys that follow `event`.
    ///
    /// - Parameter appendFields: Appends the object of a put's fields.
    package static func append(
        _ write: TaggedWrite, to object: inout LineBuffer,
        appendFields: (FieldMap, inout LineBuffer) -> Void = { JSONText.append($0, to: &$1) }
    ) {
        object.field(.device, write.dot.device.bytes)
        if write.isNumbered { object.field(.number, write.dot.sequence) }
        object.field(.counter, Int64(write.timestamp.counter))
        if let receipt = write.receipt {
            if let milliseconds = receipt.milliseconds { object.date(.received, milliseconds) }
            if let sequence = receipt.hubSequence { object.field(.hubSequence, sequence) }
        }
        object.record(write.key)
        object.field(.operation, write.isDelete ? "delete" : "put")
        if let fields = write.fields {
            object.key(.fields)
            appendFields(fields, &object)
        }
        if let seen = write.seen {
            object.key(.seen)
            append(seen, to: &object)
        }
        if let cursor = write.cursor { object.field(.cursor, cursor) }
        if let revision = write.revision {
            object.field(.revision, revision.rev)
            // A line says once what the writer had seen.
            if let parents = revision.parents, write.seen == nil, write.cursor == nil {
                object.field(.parents, .array(parents.map(FieldValue.string)))
            }
        }
        if !write.order.isEmpty { object.field(.order, .array(write.order)) }
        if let app = write.app { object.field(.app, app) }
        if !write.carried.isEmpty {
            object.key(.carried)
            appendFields(write.carried, &object)
        }
    }

    /// Appends a version vector as an object, devices in order.
    package static func append(_ seen: VersionVector, to buffer: inout LineBuffer) {
        buffer.beginObject()
        for entry in seen.entries {
            buffer.key(named: entry.device.bytes)
            buffer.append(decimal: entry.sequence)
        }
        buffer.endObject()
    }

    /// The bare form of a write, without a line break.
    package static func bare(_ write: TaggedWrite) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.beginObject()
        buffer.field(.event, "write")
        buffer.date(.timestamp, write.timestamp.milliseconds)
        append(write, to: &buffer)
        buffer.endObject()
        return buffer.array
    }

    /// Reads a write from the object of a line.
    ///
    /// - Parameters:
    ///   - line: The whole object; keys that mean nothing here are ignored.
    ///   - revisions: Those that lines before named; nil where it does not matter what writers had seen, but whether they say so.
    ///   - number: Gives a write that carries no `n` its number, from its device; nil where it cannot.
    package static func write(
        _ line: LineFields, revisions: inout RevisionGraph?, number: (DeviceID) -> UInt64?
    ) throws(LineError) -> TaggedWrite {
        let milliseconds = try line.date(.timestamp)
        let device = DeviceID(try line.name(.device))
        let key = try line.record()
        let operation = try operation(line)
        let given = try line.optionalInteger(.number, in: 1 ... .max)
        let counter = UInt32(try line.optionalInteger(.counter, in: 0...Int64(UInt32.max)) ?? 0)
        let seen = try line.versionVector(.seen)
        let cursor = try line.optionalInteger(.cursor, in: 0...Int64(WriteLimits.number)).map(UInt64.init)
        let revision = try revision(line)
        let contexts = [seen.map { _ in "seen" }, cursor.map { _ in "cursor" }, revision?.parents.map { _ in "parents" }].compactMap(\.self)
        if contexts.count > 1 {
            throw LineError("both \(contexts[0].quoted) and \(contexts[1].quoted) say what the writer had seen: leave one of them out")
        }
        let received = try line.optionalDate(.received)
        let hubSequence = try line.optionalInteger(.hubSequence).map(UInt64.init)
        let receipt = received == nil && hubSequence == nil ? nil : TaggedWrite.Receipt(milliseconds: received, hubSequence: hubSequence)
        func next(_ writer: DeviceID) -> UInt64? { given.map(UInt64.init) ?? number(writer) }
        let position =
            if let revision, seen == nil, cursor == nil {
                if revisions == nil {
                    next(device).map {
                        RevisionGraph.Position(dot: Dot(device: device, sequence: $0), seen: revision.parents.map { _ in VersionVector() })
                    }
                } else {
                    // The next number of a device that has not written is 1.
                    revisions?.position(of: revision, key: key, device: device, isDevice: { number($0) != 1 }, number: next)
                }
            } else {
                next(device).map { RevisionGraph.Position(dot: Dot(device: device, sequence: $0), seen: seen) }
            }
        guard let position else {
            throw LineError("the key \"n\" is missing, and a write of \(device.rawValue.quoted) before has the highest number there is")
        }
        let (dot, known) = (position.dot, position.seen)
        if let seen, seen[device] > dot.sequence {
            throw LineError(
                "\"seen\" names write \(seen[device]) of \(device.rawValue.quoted), but this is the device's own write \(dot.sequence): it "
                    + "cannot have seen a later one"
            )
        }
        if let cursor, let hubSequence, cursor > hubSequence {
            throw LineError(
                "\"cursor\" is \(cursor), but the hub took this write itself as number \(hubSequence): its writer cannot have seen later ones"
            )
        }
        return TaggedWrite(
            dot: dot, isNumbered: given != nil || known != nil || cursor != nil,
            timestamp: HybridTimestamp(milliseconds: milliseconds, counter: counter),
            key: key, operation: operation, seen: known, cursor: cursor, receipt: receipt, order: try order(line), app: try app(line),
            carried: try carried(line, by: operation))
    }

    private static func revision(_ line: LineFields) throws(LineError) -> RevisionGraph.Revision? {
        guard line.has(.revision) else { return nil }
        let name = try line.name(.revision)
        guard let value = line.optional(.parents) else { return RevisionGraph.Revision(name: name, parents: nil) }
        guard let elements = value.array else {
            throw LineError("\"parents\" must be an array of the revisions that this one was made from, not \(value.described)")
        }
        var parents: [String] = []
        for element in elements {
            guard let parent = element.string else { throw LineError("\"parents\" holds \(element.described); revisions are texts") }
            parents.append(parent)
        }
        return RevisionGraph.Revision(name: name, parents: parents)
    }

    private static func order(_ line: LineFields) throws(LineError) -> [FieldValue] {
        guard let value = line.optional(.order) else { return [] }
        guard let order = value.array else {
            throw LineError("\"order\" must be an array of what is compared before the timestamps, not \(value.described)")
        }
        return order
    }

    package static func app(_ line: LineFields) throws(LineError) -> String? {
        guard let app = try line.optionalString(.app) else { return nil }
        guard (1...WriteLimits.nameBytes).contains(app.utf8.count) else {
            throw LineError("\"app\" has \(app.utf8.count) bytes; the app's version has 1 to \(WriteLimits.nameBytes)")
        }
        return app
    }

    private static func operation(_ line: LineFields) throws(LineError) -> TaggedWrite.Operation {
        switch try line.string(.operation) {
        case "put": return .put(try fields(line.object(.fields)))
        case "delete": return .delete
        case let other: throw LineError("\"op\" is \(other.quoted); put or delete is expected")
        }
    }

    private static func fields(_ object: LineFields) throws(LineError) -> FieldMap {
        let fields = object.fields
        // A conflict's line nests the value deeper than the write's.
        if let deep = fields.first(where: { !$0.value.isNested(atMost: WriteLimits.depth) }) {
            throw LineError("the value of \(deep.name.rawValue.quoted) is nested more than \(WriteLimits.depth) levels deep")
        }
        return fields
    }

    private static func carried(_ line: LineFields, by operation: TaggedWrite.Operation) throws(LineError) -> FieldMap {
        guard line.has(.carried) else { return FieldMap() }
        guard case .put(let own) = operation else { throw LineError("\"carried\" stands in a delete: only a put carries fields") }
        let carried = try fields(line.object(.carried))
        if let twice = carried.first(where: { own[$0.name] != nil }) {
            throw LineError("both \"fields\" and \"carried\" name \(twice.name.rawValue.quoted): leave one of them out")
        }
        return carried
    }
}
