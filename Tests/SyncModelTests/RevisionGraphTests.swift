import SyncModel
import SyncOracle
import Testing

/// What revisions lead back to had been seen.
@Suite struct RevisionGraphTests {
    private var graph = RevisionGraph()
    private var numbers: [DeviceID: UInt64] = [:]
    private let key = RecordKey(type: "card", id: "1")

    private mutating func take(
        _ name: String, from parents: [String]?, by device: DeviceID = "phone", of key: RecordKey? = nil
    ) throws -> RevisionGraph.Position {
        var numbers = numbers
        let revision = RevisionGraph.Revision(name: name, parents: parents)
        let position = graph.position(of: revision, key: key ?? self.key, device: device) { writer in
            numbers[writer, default: 0] += 1
            return numbers[writer]
        }
        self.numbers = numbers
        return try #require(position)
    }

    @Test mutating func aRevisionHasSeenAllThatItLeadsBackTo() throws {
        let first = try take("1-a", from: [])
        #expect(first.dot == Dot(device: "phone", sequence: 1))
        #expect(first.seen == [:])
        let second = try take("2-b", from: ["1-a"], by: "mac")
        #expect(second.seen == ["phone": 1])
        #expect(try take("3-c", from: ["2-b"]).seen == ["phone": 1, "mac": 1])
        #expect(try take("2-d", from: ["1-a"], by: "pad").seen == ["phone": 1])
        #expect(try take("4-e", from: ["3-c", "2-d"], by: "mac").seen == ["phone": 2, "mac": 1, "pad": 1])
        #expect(graph.orphans == 0)
    }

    @Test mutating func aDeviceNamedLikeAnothersLaneIsADeviceOfItsOwn() throws {
        _ = try take("1-a", from: [])
        #expect(try take("1-b", from: []).dot == Dot(device: "phone#2", sequence: 1))
        let other = try take("1-c", from: [], by: "phone#2")
        #expect(other.dot == Dot(device: "phone#2'", sequence: 1))
        #expect(try take("2-c", from: ["1-c"], by: "phone#2").dot == Dot(device: "phone#2'", sequence: 2))
        let second = RecordKey(type: "card", id: "2")
        _ = try take("1-x", from: [], by: "pad#2", of: second)
        _ = try take("1-y", from: [], by: "pad", of: second)
        #expect(try take("1-z", from: [], by: "pad", of: second).dot.device == "pad#2'")
    }

    @Test mutating func aDeviceThatNeverSeesItsOwnWritesCostsNoMoreWithEach() throws {
        var graph = RevisionGraph()
        let time = processorTime {
            for number in 0..<histories(5_000, of: 100_000) {
                let revision = RevisionGraph.Revision(name: "1-\(number)", parents: [])
                #expect(graph.position(of: revision, key: key, device: "phone") { _ in 1 }?.seen == [:])
            }
        }
        // Looking at each lane anew takes hours.
        #expect(time < .seconds(histories(4, of: 20)))
    }

    @Test mutating func aRevisionWithoutParentsCreatesItsRecord() throws {
        #expect(try take("1-a", from: nil).seen == nil)
        // Who has made something of it has seen it, and nothing else that is known.
        #expect(try take("2-b", from: ["1-a"]).seen?.entries.count == 1)
        #expect(try take("1-z", from: [], of: RecordKey(type: "card", id: "2")).seen == [:])
        #expect(graph.orphans == 0)
        #expect(!graph.isDisordered)
    }

    @Test mutating func descendantsOfAMissingRevisionSayNothing() throws {
        _ = try take("1-a", from: [])
        #expect(try take("3-c", from: ["2-b"]).seen == nil)
        #expect(try take("4-d", from: ["3-c"]).seen == nil)
        #expect(try take("4-e", from: ["1-a", "3-c"]).seen == nil)
        #expect(try take("2-x", from: ["1-a"]).seen == ["phone": 1])
        #expect(graph.orphans == 3)
    }

    @Test mutating func aRevisionOfTheSameNameInAnotherRecordIsAnother() throws {
        _ = try take("1-a", from: [])
        #expect(try take("2-b", from: ["1-a"], of: RecordKey(type: "card", id: "2")).seen == nil)
    }

    @Test mutating func aDeviceThatMissedItsLastRevisionGoesOnAsAnotherWriter() throws {
        _ = try take("1-a", from: [], by: "server")
        _ = try take("2-b", from: ["1-a"], by: "server")
        let branch = try take("2-c", from: ["1-a"], by: "server")
        #expect(branch.dot == Dot(device: "server#2", sequence: 1))
        #expect(branch.seen == ["server": 1])
        #expect(try take("3-d", from: ["2-c"], by: "server").dot == Dot(device: "server#2", sequence: 2))
        #expect(try take("3-e", from: ["2-b"], by: "server").dot == Dot(device: "server", sequence: 3))
        #expect(try take("4-f", from: ["3-d", "3-e"], by: "server").dot.device == "server")
    }

    @Test mutating func aRevisionThatComesAgainIsTheSameWrite() throws {
        let first = try take("1-a", from: [])
        let again = try take("1-a", from: ["9-z"], by: "mac")
        #expect(again.dot == first.dot)
        #expect(again.seen == first.seen)
        #expect(graph.orphans == 0)
    }

    @Test mutating func theWritersAmongTheAncestorsOfARevisionAreLimited() throws {
        var parents: [String] = []
        for number in 0...RevisionGraph.writerLimit {
            let seen = try take("\(number)", from: parents, by: DeviceID("device \(number)")).seen
            #expect(seen?.entries.count == number)
            parents = ["\(number)"]
        }
        #expect(try take("last", from: parents).seen == nil)
    }
}
