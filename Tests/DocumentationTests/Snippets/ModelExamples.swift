import SyncModel
import Testing

/// The examples in the documentation of the public types of SyncModel.
@Suite struct ModelExamples {
    @Test func fieldMapExample() {
        var fields: FieldMap = ["name": "John", "visits": 2]
        fields["visits"] = 3
        for field in fields { print(field.name, field.value) }
        #expect(fields.count == 2)
    }

    @Test func fieldValueExample() {
        let value: FieldValue = ["tags": ["customer", "vip"], "visits": 2]
        print(value.object?["visits"]?.integer ?? 0)  // 2
        #expect(value.object?["visits"]?.integer == 2)
    }

    @Test func revisionExample() {
        let revision = TaggedWrite.Revision(rev: "3-9f", parents: ["2-1c"])
        #expect(revision.parents == ["2-1c"])
    }

    @Test func hybridClockExample() {
        var clock = HybridClock()
        let timestamp = clock.now(wall: systemWallClock())
        #expect(clock.latest == timestamp)
    }

    @Test func hybridTimestampExample() {
        let timestamp = HybridTimestamp(milliseconds: 1_768_485_900_000)
        let next = HybridTimestamp(milliseconds: 1_768_485_900_000, counter: 1)
        #expect(timestamp < next)
    }

    @Test func wallTimeExample() {
        let made = WallTime(millisecondsSince1970: 1_768_485_900_000)
        let later = made + .seconds(90)
        print(later)  // 2026-01-15T14:06:30.000Z
        #expect(later.description == "2026-01-15T14:06:30.000Z")
    }

    @Test func deviceIDExample() {
        let device: DeviceID = "iPhone"
        print(device.rawValue)  // iPhone
        #expect(device.rawValue == "iPhone")
    }

    @Test func fieldNameExample() {
        let name: FieldName = "email"
        let fields: FieldMap = [name: "john@new.example"]
        #expect(fields[name] != nil)
    }

    @Test func recordTypeExample() {
        let type: RecordType = "Card"
        let key = RecordKey(type: type, id: "42")
        #expect(key.type == "Card")
    }

    @Test func recordIDExample() {
        let id = RecordID("42")
        let key = RecordKey(type: "Card", id: id)
        #expect(key.id == "42")
    }

    @Test func recordKeyExample() {
        let key = RecordKey(type: "Card", id: "42")
        print(key)  // Card/42
        #expect(key.description == "Card/42")
    }

    @Test func dotExample() {
        let dot = Dot(device: "iPhone", sequence: 7)
        print(dot)  // iPhone:7
        #expect(dot.description == "iPhone:7")
    }

    @Test func jsonNumberExample() {
        let price = JSONNumber(19)
        print(price == JSONNumber(19.0))  // true
        #expect(price == JSONNumber(19.0))
    }

    @Test func stringIdentifierExample() {
        let devices: [DeviceID] = ["iPhone", "iPad"]
        print(devices.sorted())  // [iPad, iPhone]
        #expect(devices.sorted() == ["iPad", "iPhone"])
    }

    @Test func taggedWriteExample() {
        let write = TaggedWrite(
            dot: Dot(device: "iPad", sequence: 7), timestamp: HybridTimestamp(milliseconds: 1_768_485_900_000),
            key: RecordKey(type: "Card", id: "42"), operation: .put(["phone": "+1-555-1234"]), seen: ["iPhone": 3])
        #expect(write.hasCausalContext)
    }

    @Test func versionVectorExample() {
        let seen: VersionVector = ["iPhone": 3, "iPad": 6]
        print(seen.covers(Dot(device: "iPhone", sequence: 4)))  // false
        #expect(!seen.covers(Dot(device: "iPhone", sequence: 4)))
    }

    @Test func intervalRuleExample() {
        let rule = IntervalRule(window: .seconds(60))
        #expect(rule.window == .seconds(60))
    }
}
