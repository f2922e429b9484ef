package import ConflictAudit
import SyncModel
import SyncOracle

/// A server's table under people who edit on several devices, and what each of their saves really took away.
///
/// Every value is unique to its edit unless the field has few values, so that the truth needs no comparison: the server's row remembers the
/// edit behind each of its fields, and a save of a device that was not shown it takes it away.
package struct SavedForms {
    /// What a save sends.
    package enum Form: Sendable { case whole, someFields, editedFields }

    /// The shape of a table, and the habits of its users.
    package struct Shape: Sendable {
        package var fields: Int
        /// How many of the fields have few values, as switches do.
        package var switches: Int
        /// How many of the fields behind them count up, so that two devices may arrive at one value.
        package var counters: Int
        package var devices: Int
        package var records: Int
        package var steps: Int
        /// Whether the server merges the edited fields instead of keeping rows.
        package var merges: Bool
        /// What a save sends; the server keeps the rest.
        package var sends: Form
        /// The share of devices that tell the version that they had been looking at.
        package var told: Double
        /// Whether clocks jump.
        package var jumps: Bool
        /// Whether devices fetch before they edit, most of the time.
        package var isOnline: Double
        /// The share of steps in which a device loses its network for some minutes; what it edits meanwhile is saved afterwards.
        package var offline: Double
        /// The share of saves that delete the record.
        package var deletes: Double
        /// The share of old copies of a deleted record that bring it back, as an edit made without a network does.
        package var undeletes: Double
        /// The share of steps in which a device saves every record in one go, as the import of a spreadsheet does.
        package var imports: Double

        /// A table of notes, but for what is said otherwise.
        package init(
            fields: Int = 3, switches: Int = 0, counters: Int = 0, devices: Int = 12, records: Int = 30, steps: Int = 1500,
            merges: Bool = false, sends: Form = .whole, told: Double = 0, jumps: Bool = false, isOnline: Double = 0.9,
            offline: Double = 0.02, deletes: Double = 0.01, undeletes: Double = 0, imports: Double = 0
        ) {
            (self.fields, self.switches, self.counters, self.devices) = (fields, switches, counters, devices)
            (self.records, self.steps, self.merges, self.sends, self.told) = (records, steps, merges, sends, told)
            (self.jumps, self.isOnline, self.offline) = (jumps, isOnline, offline)
            (self.deletes, self.undeletes, self.imports) = (deletes, undeletes, imports)
        }
    }

    /// One edit that a save took away.
    package struct Loss: Hashable {
        package let record: Int
        package let field: Int
        package let loser: Int
        package let save: Int
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

    /// Who saves, and when.
    private struct Author {
        let device: Int
        let tells: Bool
        let made: Int64
        let received: Int64
        var deletes: Double
    }

    package private(set) var rows: [SavedRow] = []
    package private(set) var truth: Set<Loss> = []
    private let shape: Shape
    private var records: [Record]
    private var copies: [[Int: Copy]]
    private var nextValue = 100
    private var random: SplitMix64

    /// A table of some shape, the same for the same seed.
    package init(_ shape: Shape, seed: UInt64) {
        self.shape = shape
        random = SplitMix64(seed: seed)
        records = [Record](repeating: Record(fields: Array(repeating: Field(), count: shape.fields)), count: shape.records)
        copies = [[Int: Copy]](repeating: [:], count: shape.devices)
        var clocks: [Int64] = []
        for _ in 0..<shape.devices {
            let range: ClosedRange<Int64> = random.chance(0.75) ? -1000...1000 : -900_000...900_000
            clocks.append(Int64.random(in: range, using: &random))
        }
        let tells = clocks.map { _ in random.chance(shape.told) }
        var time: Int64 = 1_700_000_000_000
        // What devices without a network have edited, and when, and when they have one again.
        var waiting = [[Int: Int64]](repeating: [:], count: shape.devices)
        var returns = [Int64](repeating: 0, count: shape.devices)
        for _ in 0..<shape.steps {
            time += Int64.random(in: 1000...60_000, using: &random)
            for device in waiting.indices where returns[device] <= time {
                for (record, made) in waiting[device].sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
                    time += 100
                    save(record, by: Author(device: device, tells: tells[device], made: made, received: time, deletes: shape.deletes))
                }
                waiting[device] = [:]
            }
            let device = Int.random(in: 0..<shape.devices, using: &random)
            let record = min(Int.random(in: 0..<shape.records, using: &random), Int.random(in: 0..<shape.records, using: &random))
            if shape.jumps, random.chance(0.01) { clocks[device] = Int64.random(in: -900_000...900_000, using: &random) }
            let made = time + clocks[device]
            if random.chance(shape.offline) { returns[device] = time + Int64.random(in: 60_000...3_600_000, using: &random) }
            guard returns[device] <= time else {
                if copies[device][record] != nil, waiting[device][record] == nil { waiting[device][record] = made }
                continue
            }
            let isFresh = copies[device][record] == nil || random.chance(shape.isOnline)
            if shape.imports > 0, random.chance(shape.imports) {
                // What was exported before may be old by now, and all of it is saved at once.
                for number in records.indices where !records[number].isDeleted {
                    if isFresh || copies[device][number] == nil { fetch(number, for: device) }
                    time += 1
                    save(number, by: Author(device: device, tells: tells[device], made: made, received: time, deletes: 0))
                }
                continue
            }
            if isFresh, !records[record].isDeleted { fetch(record, for: device) }
            // Whoever does not fetch has an old copy, and a slow network.
            let received =
                time + Int64.random(in: 200...900, using: &random) + (isFresh ? 0 : Int64.random(in: 0...600_000, using: &random))
            time = max(time, received)
            save(
                record, by: Author(device: device, tells: tells[device], made: made, received: received, deletes: shape.deletes))
        }
    }

    private mutating func fetch(_ number: Int, for device: Int) {
        copies[device][number] = Copy(base: records[number].version, values: records[number].fields.map(\.value))
    }

    private mutating func save(_ number: Int, by author: Author) {
        let device = author.device
        var record = records[number]
        let returns = record.isDeleted && shape.undeletes > 0 && random.chance(shape.undeletes)
        if record.isDeleted, !returns { copies[device][number] = nil }
        var copy = copies[device][number] ?? Copy(base: 0, values: Array(repeating: 0, count: shape.fields))
        let isCreation = copy.base == 0
        let row = rows.count
        record.version += 1
        let isDelete = !record.isDeleted && random.chance(author.deletes)
        var sent: Set<Int> = []
        if isDelete {
            for (field, content) in record.fields.enumerated() { note(content, number, field, device, copy.base, row) }
            record.isDeleted = true
            record.fields = Array(repeating: Field(), count: shape.fields)
        } else {
            let form = (0..<shape.fields).filter { isCreation || returns || shape.sends != .someFields || ($0 + device) % 3 != 0 }
            let edited = edit(&copy, form, isCreation: isCreation)
            sent = shape.sends == .editedFields ? edited : Set(form)
            for field in (shape.merges ? edited : sent).sorted() {
                let content = record.fields[field]
                if content.value == copy.values[field] {
                    continue
                }
                note(content, number, field, device, copy.base, row)
                // Whoever brings a record back means all of it.
                let isEdit = returns || edited.contains(field)
                record.fields[field] = Field(value: copy.values[field], edit: isEdit ? (record.version, device, row) : nil)
            }
            record.isDeleted = false
        }
        records[number] = record
        var saved = SavedRow(key: RecordKey(type: "Form", id: RecordID("\(number)")), isDelete: isDelete)
        saved.author = DeviceID("d\(device)")
        (saved.made, saved.received) = (author.made, author.received)
        (saved.version, saved.order) = ("\(record.version)", Int64(record.version))
        if author.tells, copy.base > 0 { saved.base = "\(copy.base)" }
        for field in sent { saved.fields[FieldName("f\(field)")] = .number(JSONNumber(Int64(record.fields[field].value))) }
        rows.append(saved)
        copies[device][number] = nil
        if !isDelete { fetch(number, for: device) }
    }

    /// Edits one or two fields of a form, or all of a new record, and returns which.
    private mutating func edit(_ copy: inout Copy, _ form: [Int], isCreation: Bool) -> Set<Int> {
        var edited: Set<Int> = []
        let count = isCreation ? form.count : random.chance(0.8) ? 1 : min(2, form.count)
        while edited.count < count { edited.insert(form[Int.random(in: 0..<form.count, using: &random)]) }
        for field in edited.sorted() {
            switch field {
            case ..<shape.switches: copy.values[field] = copy.values[field] == 1 ? 2 : 1
            case ..<(shape.switches + shape.counters): copy.values[field] += 1
            default:
                copy.values[field] = nextValue
                nextValue += 1
            }
        }
        return edited
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
