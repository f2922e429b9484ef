import SyncModel
import SyncSystem
import Testing

@testable import SyncObservation

struct StampTests {
    private let vector: VersionVector = ["phone": 12, "tab;let": 7]
    private let dot = Dot(device: "phone", sequence: 12)

    @Test(arguments: [false, true]) func fieldStampIsReadBack(isFogged: Bool) throws {
        let stamp = FieldStamp(dot: dot, vector: vector, isFogged: isFogged, hash: ValueHash("Plan"))
        #expect(FieldStamp(stamp.text) == stamp)
        #expect(stamp.describes("Plan"))
        #expect(!stamp.describes("Draft"))
    }

    @Test func fieldStampOfTwoDevicesIsShort() {
        let stamp = FieldStamp(
            dot: Dot(device: "a1f3", sequence: 440), vector: ["a1f3": 440, "b2c4": 71], isFogged: false, hash: ValueHash("Plan"))
        #expect(stamp.text.utf8.count <= 25)
    }

    @Test(arguments: [false, true]) func recordStampIsReadBack(isFogged: Bool) throws {
        let entry = FieldStamp(dot: dot, vector: vector, isFogged: isFogged, hash: ValueHash(3))
        let stamp = RecordStamp(
            dot: dot, time: WallTime(millisecondsSince1970: 1_768_485_600_000), entries: ["ti:tle": entry, "größe": entry])
        #expect(RecordStamp(stamp.text) == stamp)
        #expect(RecordStamp(stamp.text)?.entries["ti:tle"]?.describes(3.0) == true)
    }

    @Test func equalNumbersHaveOneHash() {
        #expect(ValueHash(["n": [1, 10]]) == ValueHash(["n": [1.0, .number(JSONNumber(validated: "1e1"))]]))
        #expect(ValueHash("1") != ValueHash(1))
        #expect(ValueHash(["a", "b"]) != ValueHash(["ab"]))
        #expect(ValueHash(.null) != ValueHash(false))
    }

    @Test(arguments: [
        "", "1", "2phone.c;=1", "1phone.c", "1phone;=1", "1phone.0;=1", "1phone.c;tablet;=1", "1phone.c;phone.d;=1", "1phone.c;?1",
        "1phone.c;=",
        "1phone.c;=+1", "1phone.c;=zzzzzzzz", "1pho%ne.c;=1", "1pho%ffne.c;=1", "1phone.0c;=1",
    ])
    func damagedFieldStampIsNone(text: String) { #expect(FieldStamp(text) == nil) }

    @Test(arguments: [
        "", "2", "2phone.c", "2phone.c:", "2phone.c:1;", "2phone.c:1;a", "2phone.c:1;a:1", "2phone.c:1;a:=1;a:=1", "2phone.c:1;a:0=1",
        // Devices out of the table, twice in it or in an entry, out of order, and the writer among them.
        "2phone.c:1;a:,0.1=1", "2phone.c:1:tab;a:,1.1=1", "2phone.c:1:tab;a:,zzzzzzzzzzzzz.1=1", "2phone.c:1:tab,tab;a:=1",
        "2phone.c:1:b,a;a:=1", "2phone.c:1:phone;a:=1", "2phone.c:1:a,b;a:,1.1,0.1=1", "2phone.c:1:a,b;a:,0.1,0.2=1",
        "2phone.c:1:tab;a:,0.0=1", "2phone.c:1:tab;a:,00.1=1", "1phone.c:1;a:phone.c:=1",
    ])
    func damagedRecordStampIsNone(text: String) { #expect(RecordStamp(text) == nil) }

    /// Ten fields of a record edited at once, then one of them, by devices of four letters.
    @Test(arguments: [(devices: 2, all: 211, one: 40), (devices: 4, all: 321, one: 60)])
    func recordStampNamesEachDeviceOnce(devices: Int, all: Int, one: Int) {
        let vector = VersionVector((1...devices).map { Dot(device: DeviceID("a1f\($0)"), sequence: UInt64(40 * $0)) })
        let entry = FieldStamp(dot: Dot(device: "a1f1", sequence: 40), vector: vector, isFogged: false, hash: ValueHash("Plan"))
        let names = ["city", "code", "firm", "mail", "name", "note", "role", "tags", "url", "zone"].map { FieldName($0) }
        func stamp(_ names: [FieldName]) -> RecordStamp {
            RecordStamp(
                dot: entry.dot, time: WallTime(millisecondsSince1970: 1_768_485_600_000),
                entries: Dictionary(names.map { ($0, entry) }) { $1 })
        }
        #expect(stamp(names).text.utf8.count == all)
        #expect(stamp(["url"]).text.utf8.count == one)
        #expect(RecordStamp(stamp(names).text) == stamp(names))
    }

    @Test func hostileStampsAreReadInLinearTime() {
        let devices = (0..<2000).map { "d" + String(10_000 + $0) }.joined(separator: ",")
        let fields = (0..<4000).map { ";" + String($0, radix: 36) + ":,0.1,1999.1=1" }.joined()
        let dots = (0..<10_000).map { ";" + String($0, radix: 36) + ".1" }.joined()
        let begin = Self.processorSeconds
        do {
            for text in [
                "2phone.c:1:" + devices + fields, "2phone.c:1:" + devices, "1phone.c" + dots + ";=1",
                "2phone.c:1;a:" + String(repeating: ",0.1", count: 16_000),
            ] {
                _ = RecordStamp(text)
                _ = FieldStamp(text)
            }
        }
        // A few hundredths, and minutes where each field is looked for among all devices.
        #expect(Self.processorSeconds - begin < 2)
    }

    /// The time that the processor has given to this thread: another program beside it makes it no longer.
    private static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func anyBytesAreAStampOrNone() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("12phone.c;:,%*=z0\u{e9}")
        for _ in 0..<20_000 {
            let text = String((0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "1" })
            if let stamp = FieldStamp(text) { #expect(FieldStamp(stamp.text) == stamp) }
            if let stamp = RecordStamp(text) { #expect(RecordStamp(stamp.text) == stamp) }
        }
    }
}
