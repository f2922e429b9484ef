import SyncMerge
import SyncModel

/// Few records that many devices write, offline most of the time: what a log of a popular page, a shared list or a document looks like.
struct SharedRecords {
    /// What the devices write.
    enum Shape: String, CaseIterable {
        /// A number, one or a few more than the number seen.
        case counters
        /// A list, with an element more or less than the list seen.
        case sets
        /// A text and, now and then, a title or nothing at all: the record is deleted.
        case texts
    }

    let shape: Shape
    let writes: Int
    var devices = 20
    var records = 50

    init(shape: Shape, writes: Int) {
        self.shape = shape
        self.writes = writes
    }

    func trace() -> [TaggedWrite] {
        var random = SplitMix64(state: 4711)
        var devices = (1...devices).map { Device(id: DeviceID("device-\($0)"), clockError: Int64.random(in: -2000...2000, using: &random)) }
        var hub: [TaggedWrite] = []
        var count = 0
        // 2026-01-15T08:00:00Z
        var now: Int64 = 1_768_464_000_000
        while count < writes {
            now += Int64.random(in: 20...2000, using: &random)
            let index = Int.random(in: 0..<devices.count, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                devices[index].sync(with: &hub, at: now)
                continue
            }
            count += 1
            let key = RecordKey(type: "Page", id: RecordID("page-\(Int.random(in: 1...records, using: &random))"))
            devices[index].write(operation(on: devices[index].shown(key), count, &random), to: key, at: now)
        }
        for index in devices.indices { devices[index].sync(with: &hub, at: now + 60_000) }
        return hub
    }

    private func operation(on shown: FieldMap, _ count: Int, _ random: inout SplitMix64) -> TaggedWrite.Operation {
        switch shape {
        case .counters:
            let step = Int.random(in: 0..<8, using: &random) == 0 ? Int64.random(in: 2...5, using: &random) : 1
            return .put(["visits": .number(JSONNumber((shown["visits"]?.integer ?? 0) + step))])
        case .sets:
            var tags = shown["tags"]?.array ?? []
            let tag = FieldValue.string("tag-\(Int.random(in: 1...24, using: &random))")
            if let place = tags.firstIndex(of: tag) { tags.remove(at: place) } else { tags.append(tag) }
            return .put(["tags": .array(tags)])
        case .texts:
            switch Int.random(in: 0..<50, using: &random) {
            case 0: return .delete
            case 1..<10: return .put(["title": .string("Title \(count)")])
            default: return .put(["text": .string("What was written in edit \(count).")])
            }
        }
    }
}
