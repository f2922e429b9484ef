import ConflictAudit
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel

/// The JSON form of a conflict, after `event`.
enum ConflictLine {
    /// Appends the keys that follow `event`.
    ///
    /// - Parameter omitsValues: Whether the values are left out as ``ValuePrivacy/omitted`` leaves them out.
    static func append(_ conflict: Conflict, omitsValues: Bool, to object: inout LineBuffer) {
        func shown(_ value: WrittenValue?) -> WrittenValue? { omitsValues ? ValuePrivacy.omitting(value, field: conflict.field) : value }
        object.hexadecimal(.id, conflict.id.rawValue)
        object.field(.kind, conflict.kind.rawValue)
        object.field(.severity, conflict.severity.rawValue)
        object.field(.basis, conflict.basis.rawValue)
        object.record(conflict.key)
        if !omitsValues, let name = conflict.name {
            object.key("name")
            object.object { object in
                object.field(.field, name.field.bytes)
                object.field(.value, name.text)
            }
        }
        if let field = conflict.field { object.field(.field, field.bytes) }
        if let related = conflict.related {
            object.key(.related)
            object.beginObject()
            object.record(related)
            object.endObject()
        }
        object.key(.winner)
        append(conflict.winner, value: shown(conflict.winner.written), to: &object)
        object.key(.loser)
        append(conflict.loser, value: shown(conflict.loser.written), to: &object)
        if let ancestor = shown(conflict.writtenAncestor) {
            object.key(.ancestor)
            object.beginObject()
            object.field(.value, ancestor)
            object.endObject()
        }
        if let result = shown(conflict.result.map(WrittenValue.init)) { object.field(.result, result) }
        if let versions = conflict.versions {
            object.key("versions")
            object.object { object in
                object.field("save", versions.save)
                object.field("lost", versions.lost)
                if let base = versions.base { object.field("base", base) }
                object.field("shown", versions.shown)
                object.field("saveRow", versions.rows.save)
                object.field("lostRow", versions.rows.lost)
            }
        }
        object.field(.gap, conflict.gapMilliseconds)
        object.field(.withinWindow, conflict.withinWindow)
        object.field(.window, conflict.windowMilliseconds)
        object.field(.policy, conflict.policy)
        object.field(.resolution, conflict.resolution.rawValue)
        object.field(.reason, conflict.reason.rawValue)
        object.field(.automatic, conflict.isAutomatic)
        object.field(.clockSuspect, conflict.clockSuspect)
        for flag in Conflict.Flag.optional where conflict.flags[flag] {
            object.key(flag.key)
            object.append("true")
        }
    }

    private static func append(_ side: Conflict.Side, value: WrittenValue?, to buffer: inout LineBuffer) {
        buffer.beginObject()
        buffer.field(.device, side.dot.device.bytes)
        buffer.field(.number, side.dot.sequence)
        buffer.date(.timestamp, side.timestamp.milliseconds)
        buffer.field(.counter, Int64(side.timestamp.counter))
        buffer.field(.operation, side.operation.rawValue)
        if let value { buffer.field(.value, value) }
        if let app = side.app { buffer.field(.app, app) }
        buffer.endObject()
    }

    static func conflict(_ line: LineFields) throws(LineError) -> Conflict {
        let text = try line.string(.id)
        guard let id = ConflictID(text) else { throw LineError("\"id\" is \(text.quoted); 16 hexadecimal digits are expected") }
        let related = line.has(.related) ? try line.object(.related).record() : nil
        // A null here is a value: the field was removed.
        let ancestor = line.has(.ancestor) ? try line.object(.ancestor)[.value] : nil
        var conflict = Conflict(
            id: id, kind: try line.choice(.kind), severity: try line.choice(.severity), basis: try line.choice(.basis),
            key: try line.record(), field: try line.optionalString(.field).map { FieldName($0) }, related: related,
            winner: try side(try line.object(.winner)), loser: try side(try line.object(.loser)),
            writtenAncestor: ancestor.map(WrittenValue.init), result: line[.result], gapMilliseconds: try line.integer(.gap),
            windowMilliseconds: try line.integer(.window), policy: try line.string(.policy),
            resolution: try line.choice(.resolution), reason: try line.choice(.reason), flags: try flags(line))
        conflict.name = name(line.optional("name"))
        if line.has("versions") { conflict.versions = try versions(try line.object("versions")) }
        return conflict
    }

    /// What a line says against itself of a decision: `auto` follows from `resolution`, and nobody reads it but programs of others.
    static func contradiction(_ conflict: Conflict, _ line: LineFields) -> String? {
        guard let told = line.optional(LineKey.automatic), told != .bool(conflict.isAutomatic) else { return nil }
        return "\"auto\" of conflict \(conflict.id) is \(told.described), and its resolution \"\(conflict.resolution.rawValue)\" "
            + (conflict.isAutomatic ? "needed no person" : "is a person's")
    }

    /// A name that is none of ours is passed over, like any key that means nothing.
    private static func name(_ value: FieldValue?) -> RecordName? {
        guard let object = value?.object, let field = object[FieldName(LineKey.field.name)]?.string else { return nil }
        return RecordName(field: FieldName(field), value: object[FieldName(LineKey.value.name)])
    }

    private static func versions(_ line: LineFields) throws(LineError) -> SavedVersions {
        SavedVersions(
            save: try line.string("save"), lost: try line.string("lost"), base: try line.optionalString("base"),
            shown: try line.string("shown"),
            rows: SavedVersions.Rows(save: Int(clamping: try line.integer("saveRow")), lost: Int(clamping: try line.integer("lostRow"))))
    }

    private static func flags(_ line: LineFields) throws(LineError) -> Conflict.Flags {
        var flags = Conflict.Flags()
        for flag in Conflict.Flag.allCases where flag.isOnEveryLine || line.has(flag.key) {
            flags[flag] = try line.bool(flag.key)
        }
        return flags
    }

    private static func side(_ line: LineFields) throws(LineError) -> Conflict.Side {
        let dot = Dot(device: DeviceID(try line.name(.device)), sequence: UInt64(try line.integer(.number, in: 1 ... .max)))
        let counter = UInt32(try line.optionalInteger(.counter, in: 0...Int64(UInt32.max)) ?? 0)
        return Conflict.Side(
            dot: dot, timestamp: HybridTimestamp(milliseconds: try line.date(.timestamp), counter: counter),
            operation: try line.choice(.operation), value: line[.value], app: try WriteLine.app(line))
    }
}
