import XCTest

@testable import Kiln

final class KilnTests: XCTestCase {
    func testGlazes() { XCTAssertEqual(Glaze.allCases.count, 3) }
}
