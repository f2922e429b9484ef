import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// The line of three versions of a record that met in a conflict handler.
enum MergeLine {
    static func append(_ merge: RecordedMerge, to object: inout LineBuffer) {
        object.field(.device, merge.device.bytes)
        object.record(merge.key)
        func version(_ name: StaticString, _ version: RecordedMerge.Version?) {
            guard let version else { return }
            object.key(name)
            object.beginObject()
            object.field(.fields, version.fields.map(FieldValue.object) ?? FieldValue.null)
            if let time = version.time { object.date(.timestamp, time.millisecondsSince1970) }
            if let device = version.device { object.field(.device, device.bytes) }
            object.endObject()
        }
        version("ancestor", merge.ancestor)
        version("client", merge.client)
        version("server", merge.server)
        version("result", merge.result)
    }

    static func merge(_ line: LineFields) throws(LineError) -> RecordedMerge {
        return RecordedMerge(
            key: try line.record(), at: WallTime(millisecondsSince1970: try line.date(.timestamp)), by: DeviceID(try line.name(.device)),
            ancestor: try optionalVersion(line, "ancestor"),
            client: try version(line, "client"), server: try version(line, "server"), result: try optionalVersion(line, "result"))
    }

    private static func optionalVersion(_ line: LineFields, _ name: StaticString) throws(LineError) -> RecordedMerge.Version? {
        line.has(name) ? try version(line, name) : nil
    }

    private static func version(_ line: LineFields, _ name: StaticString) throws(LineError) -> RecordedMerge.Version {
        let version = try line.object(name)
        let isDeleted = version[.fields] == .null
        return RecordedMerge.Version(
            fields: isDeleted ? nil : try version.object(.fields).fields,
            at: try version.optionalDate(.timestamp).map(WallTime.init(millisecondsSince1970:)),
            device: version.has(.device) ? DeviceID(try version.name(.device)) : nil)
    }
}
