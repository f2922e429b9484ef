import SwiftData
import XCTest

@Model
final class Draft {
    @Attribute(.unique) var key: String

    init(key: String) { self.key = key }
}

final class StoreTests: XCTestCase {
    func testDraft() throws {
        _ = try ModelContainer(for: Draft.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .none))
    }
}
