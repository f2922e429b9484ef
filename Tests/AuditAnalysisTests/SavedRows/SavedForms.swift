import ConflictAudit
import SyncModel
import SyncOracle

/// A server's table under people who edit on several devices, and what each of their saves really took away.
///
/// Every value is unique to its edit unless the field has few values, so that the truth needs no comparison: the server's row remembers the
/// edit behind each of its fields, and a save of a device that was not shown it takes it away.
struct SavedForms {
    /// The shape of a table, and the habits of its users.
    struct Shape {
        var fields = 3
        /// How many of the fields have few values, as switches do.
        var switches = 0
        var devices = 12
        var records = 30
        var steps = 1500
        /// Whether the server merges the edited fields instead of keeping rows.
        var merges = false
        /// Whether a save sends the edited fields alone, and keeps the rest.
        var sendsPart = false
        /// The share of devices that tell the version that they had been looking at.
        var told = 0.0
        /// Whether clocks jump.
        var jumps = false
        /// Whether devices fetch before they edit, most of the time.
        var isOnline = 0.9
    }

    /// One edit that a save took away.
    struct Loss: Hashable {
        let record: Int
        let field: Int
        let loser: Int
        let save: Int
    }

    private struct Field {
        var value = 0
        /// The version that set it by an edit, and whose edit it was; nil where it was put back, so that it is nobody's.
        var edit: (version: Int, device: Int, row: Int)?
    }

    private struct Record {
        var version = 0
        var fields: [Field]
        var isDeleted = true
    }

    private struct Copy {
        var base = 0
        var values: [Int]
    }

    private(set) var rows: [SavedRow] = []
    private(set) var truth: Set<Loss> = []
    private var time: Int64 = 1_700_000_000_000

    init(_ shape: Shape, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var records = [Record](repeating: Record(fields: Array(repeating: Field(), count: shape.fields)), count: shape.records)
        var copies = [[Int: Copy]](repeating: [:], count: shape.devices)
        var clocks = (0..<shape.devices).map { _ in
            random.chance(0.75) ? Int64.random(in: -1000...1000, using: &random) : Int64.random(in: -900_000...900_000, using: &random)
        }
        let tells = (0..<shape.devices).map { _ in random.chance(shape.told) }
        var nextValue = 100
        for _ in 0..<shape.steps {
            time += Int64.random(in: 1000...60_000, using: &random)
            let device = Int.random(in: 0..<shape.devices, using: &random)
            let record = min(Int.random(in: 0..<shape.records, using: &random), Int.random(in: 0..<shape.records, using: &random))
            if shape.jumps, random.chance(0.01) { clocks[device] = Int64.random(in: -900_000...900_000, using: &random) }
            let isFresh = copies[device][record] == nil || random.chance(shape.isOnline)
            if isFresh, !records[record].isDeleted {
                copies[device][record] = Copy(base: records[record].version, values: records[record].fields.map(\.value))
            }
            let made = time + clocks[device]
            // Who is offline saves later, and others may save meanwhile: here he simply has an old copy, and a late upload.
            let received =
                time + Int64.random(in: 200...900, using: &random) + (isFresh ? 0 : Int64.random(in: 0...600_000, using: &random))
            time = max(time, received)
            save(
                record, by: device, made: made, received: received, tells: tells[device], shape, &records, &copies, &nextValue, &random)
        }
    }

    private mutating func save(
        _ number: Int, by device: Int, made: Int64, received: Int64, tells: Bool, _ shape: Shape, _ records: inout [Record],
        _ copies: inout [[Int: Copy]], _ nextValue: inout Int, _ random: inout SplitMix64
    ) {
        var record = records[number]
        if record.isDeleted, let copy = copies[device][number], copy.base > 0 { copies[device][number] = nil }
        let isCreation = record.isDeleted
        var copy = copies[device][number] ?? Copy(base: 0, values: Array(repeating: 0, count: shape.fields))
        let row = rows.count
        record.version += 1
        let isDelete = !isCreation && random.chance(0.01)
        var edited: Set<Int> = []
        if isDelete {
            for (field, content) in record.fields.enumerated() { note(content, number, field, device, copy.base, row) }
            record.isDeleted = true
            record.fields = Array(repeating: Field(), count: shape.fields)
        } else {
            let count = isCreation ? shape.fields : random.chance(0.8) ? 1 : min(2, shape.fields)
            while edited.count < count { edited.insert(Int.random(in: 0..<shape.fields, using: &random)) }
            for field in edited {
                if field < shape.switches {
                    copy.values[field] = copy.values[field] == 1 ? 2 : 1
                } else {
                    copy.values[field] = nextValue
                    nextValue += 1
                }
            }
            for field in 0..<shape.fields where !((shape.merges || shape.sendsPart) && !edited.contains(field)) {
                let content = record.fields[field]
                if content.value == copy.values[field] {
                    continue
                }
                note(content, number, field, device, copy.base, row)
                record.fields[field] = Field(
                    value: copy.values[field], edit: edited.contains(field) ? (record.version, device, row) : nil)
            }
            record.isDeleted = false
        }
        records[number] = record
        var saved = SavedRow(key: RecordKey(type: "Form", id: RecordID("\(number)")), isDelete: isDelete)
        saved.author = DeviceID("d\(device)")
        (saved.made, saved.received) = (made, received)
        (saved.version, saved.order) = ("\(record.version)", Int64(record.version))
        if tells, copy.base > 0, !isCreation { saved.base = "\(copy.base)" }
        if !isDelete {
            for field in 0..<shape.fields where !shape.sendsPart || edited.contains(field) {
                saved.fields[FieldName("f\(field)")] = .number(JSONNumber(Int64(record.fields[field].value)))
            }
            copies[device][number] = Copy(base: record.version, values: record.fields.map(\.value))
        } else {
            copies[device][number] = nil
        }
        rows.append(saved)
    }

    /// Takes down an edit that is shown no more, where another device made it after what this one had been looking at.
    private mutating func note(_ content: Field, _ record: Int, _ field: Int, _ device: Int, _ base: Int, _ save: Int) {
        guard let edit = content.edit, edit.device != device, edit.version > base else { return }
        truth.insert(Loss(record: record, field: field, loser: edit.row, save: save))
    }
}

extension SplitMix64 {
    fileprivate mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}
