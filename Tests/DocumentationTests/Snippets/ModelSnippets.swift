import SyncModel
import Testing

@Suite struct ModelSnippets {
    @Test func aWrite() {
        let write = TaggedWrite(
            dot: Dot(device: "iPad", sequence: 7), timestamp: HybridTimestamp(milliseconds: 1_768_485_900_000),
            key: RecordKey(type: "Card", id: "42"), operation: .put(["phone": "+1-555-1234", "vip": true]),
            seen: ["iPhone": 3, "iPad": 6])
        #expect(write.fields?.count == 2)
    }
}
