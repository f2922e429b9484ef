import SyncModel
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
        "", "1", "1phone.c", "1phone.c:", "1phone.c:1;", "1phone.c:1;a", "1phone.c:1;a:phone.c", "1phone.c:1;a:phone.c:=1;a:phone.c:=1",
    ])
    func damagedRecordStampIsNone(text: String) { #expect(RecordStamp(text) == nil) }

    @Test func anyBytesAreAStampOrNone() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("1phone.c;:,%*=z0\u{e9}")
        for _ in 0..<20_000 {
            let text = String((0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "1" })
            if let stamp = FieldStamp(text) { #expect(FieldStamp(stamp.text) == stamp) }
            if let stamp = RecordStamp(text) { #expect(RecordStamp(stamp.text) == stamp) }
        }
    }
}
