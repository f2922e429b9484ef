import SwiftData
import XCTest

@testable import Orchard

@Model
final class Sample {
    @Attribute(.unique) var key: String

    init(key: String) { self.key = key }
}

final class TreeTests: XCTestCase {
    @MainActor
    func testHarvestIsKept() throws {
        let container = try ModelContainer(for: Tree.self, Sample.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        container.mainContext.insert(Tree(variety: "Boskoop", row: 1))
        XCTAssertEqual(try container.mainContext.fetchCount(FetchDescriptor<Tree>()), 1)
    }
}
