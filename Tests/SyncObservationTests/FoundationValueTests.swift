import Foundation
import SyncModel
import SyncMonitoring
import SyncObservation
import SyncObservationFoundation
import Testing

@Suite struct FoundationValueTests {
    private enum Kind: String, Codable {
        case plan
    }

    private enum Rank: Int {
        case first = 1
    }

    private struct Origin: Codable {
        var app = "mail"
        var version: Int?
        var isRead = true
        var since = Date(timeIntervalSince1970: 1.5)
    }

    private static var values: [(Any?, FieldValue?)] {
        [
            (nil, .null), (Kind.plan, "plan"), (Rank.first, 1), (true, 1), (Date(timeIntervalSince1970: 1.5), 1500),
            (["app": "mail", "version": NSNull()] as [String: Any], ["app": "mail"]), (["a", 2] as [Any], ["a", 2]),
            (["of": NSObject()] as [String: Any], nil), (NSObject(), nil), (Decimal(string: "1.10"), "1.1"),
        ]
    }

    @Test(arguments: 0..<10) func attributesAreValuesThatCanBeCompared(index: Int) {
        let (value, expected) = Self.values[index]
        #expect(FieldValue(attribute: value) == expected)
    }

    /// A store that keeps the parts gives back the same.
    @Test func aStructureIsItsPartsInTheFormsOfAttributes() {
        #expect(FieldValue(parts: Origin()) == ["app": "mail", "isRead": 1, "since": 1500])
        #expect(FieldValue(parts: Kind.plan) == "plan")
    }

    @Test(arguments: [
        "dateModified", "modifiedDate", "modificationDate", "updatedAt", "lastUpdated", "last_modified_at", "lastEdited", "changedOn",
        "UpdatedAt",
    ])
    func datesThatEverySaveSetsAreKnownByName(name: String) { #expect(ModificationDates.contains(name)) }

    @Test(arguments: ["dueDate", "createdAt", "date", "updateInterval", "lastSeen", "changeRequestDate", "", "_", "startTime", "update2"])
    func otherDatesAreEdited(name: String) { #expect(!ModificationDates.contains(name)) }

    @Test func membersAreASetOfKeys() {
        #expect(FieldValue.members(["b", "a", "b"]) == FieldValue.members(["a", "b"]))
        #expect(FieldValue.members([]) != .null)
    }
}
