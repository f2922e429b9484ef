import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncModel
import Testing

@testable import SyncObservation

/// A shadow that lost what was not forced onto the disk.
struct PowerFailureTests {
    static let levels: [ObservationLevel] = [.fieldStamps(["title": "stamp"]), .recordStamp("stamp"), .unstamped]

    private func device(_ name: DeviceID, _ level: ObservationLevel, _ shadow: MemoryShadow = MemoryShadow()) throws -> ObservedDevice {
        try ObservedDevice(name, shadow: shadow) { $0.standardLevel = level }
    }

    @Test(arguments: levels) func numbersAreNeverGivenTwice(level: ObservationLevel) throws {
        try NumberLives.check(level, saves: [0, 1, 150, 400, 3])
    }

    @Test(arguments: [(saves: 1, fields: 1), (saves: 2000, fields: 1), (saves: 1, fields: 3000)])
    func stampsOfAbandonedSavesAreNeverMadeTwice(saves: Int, fields: Int) throws {
        let names = (0..<fields).map { "f\($0)" }
        let level = ObservationLevel.fieldStamps(Dictionary(names.map { (FieldName($0), FieldName($0 + "Stamp")) }) { $1 })
        var shadow = MemoryShadow()
        var given: [Dot] = []
        for _ in 0..<3 {
            let phone = try device("phone", level, shadow)
            let change = LocalChange(
                card, .put(FieldMap(sortedNames: names.map { FieldName($0) }.sorted(), values: names.map { _ in .null })))
            for _ in 0..<saves { given += level.stamps(in: try phone.observer.stamps(for: change)).dots }
            shadow = MemoryShadow(phone.shadow.durableContent)
        }
        #expect(given.count == 3 * saves * fields)
        #expect(Set(given).count == given.count)
    }

    /// The store kept what the shadow lost: it is told again, with the stamps that it has.
    @Test(arguments: levels.dropLast()) func savesThatTheStoreKeptAreKnownAgain(level: ObservationLevel) throws {
        let (before, tablet) = (try device("phone", level), try device("tablet", level))
        try before.save(["title": "Plan"], isNew: true)
        let kept = try #require(before.store[card])
        let after = try device("phone", level, MemoryShadow(before.shadow.durableContent))
        try after.observer.saved([LocalChange(card, .put(kept), isNew: true)], transaction: 1)
        try after.export()
        try tablet.receive(kept)
        try tablet.save(["title": "Draft"])
        #expect(try after.receive(try #require(tablet.store[card])).isEmpty)

        let other = try device("laptop", level)
        try other.save(["title": "Note"], isNew: true)
        let seen = try device("phone", level, MemoryShadow(before.shadow.durableContent))
        try seen.observer.saved([LocalChange(card, .put(kept), isNew: true)], transaction: 1)
        try seen.export()
        #expect(try seen.receive(try #require(other.store[card])).map(\.doubt) == [nil])
    }

    /// An export is durable, so that what the server has is never taken for unsent.
    @Test(arguments: levels) func exportThatBeganIsKnown(level: ObservationLevel) throws {
        let before = try device("phone", level)
        try before.save(["title": "Plan"], isNew: true)
        try before.observer.exportBegan()
        let after = try device("phone", level, MemoryShadow(before.shadow.durableContent))
        #expect(try after.receive(["title": "Draft"]).map(\.doubt) == [.exportBegun])
    }
}
