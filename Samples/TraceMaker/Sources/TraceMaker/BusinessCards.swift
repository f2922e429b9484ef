import SyncModel

/// Business cards that four devices edit, mostly offline, one of them with a clock that is ahead.
enum BusinessCards {
    static func trace() -> [TaggedWrite] {
        var random = SplitMix64(state: 2026)
        var devices = [
            Device(id: "iPhone", clockError: 0), Device(id: "iPad", clockError: -1_200), Device(id: "MacBook", clockError: 350),
            Device(id: "Old iPhone", clockError: 95_000),
        ]
        let keys = (1...24).map { RecordKey(type: "Card", id: RecordID("card-\($0)")) }
        let fields: [FieldName: [String]] = [
            "email": ["ada@work.example", "ada@home.example", "a.lovelace@work.example"],
            "phone": ["+44 20 7946 0101", "+44 20 7946 0102"],
            "company": ["Analytical Engines", "Difference Ltd"], "notes": ["met at the fair", "call back on Monday", "prefers letters"],
        ]
        let names = fields.keys.sorted()
        var hub: [TaggedWrite] = []
        // 2026-01-15T08:00:00Z
        var now: Int64 = 1_768_464_000_000

        for _ in 0..<1_500 {
            now += Int64.random(in: 20_000...900_000, using: &random)
            let index = devices.indices.randomElement(using: &random) ?? 0
            if Int.random(in: 0..<4, using: &random) == 0 {
                devices[index].sync(with: &hub, at: now)
                continue
            }
            let key = keys[min(Int.random(in: 0..<24, using: &random), Int.random(in: 0..<24, using: &random))]
            if devices[index].knows(key), Int.random(in: 0..<60, using: &random) == 0 {
                devices[index].write(.delete, to: key, at: now)
            } else {
                var put = FieldMap()
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    if let name = names.randomElement(using: &random), let value = fields[name]?.randomElement(using: &random) {
                        put[name] = .string(value)
                    }
                }
                devices[index].write(.put(put), to: key, at: now)
            }
        }
        for index in devices.indices { devices[index].sync(with: &hub, at: now + 60_000) }
        return hub
    }
}
