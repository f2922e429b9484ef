import SyncBytes
import SyncModel
import Testing

@testable import SyncCoding

@Suite struct NameDecodingTests {
    @Test(arguments: [([0x61, 0x62], true), ([0x62, 0x61], false), ([0x61, 0x61], false)] as [([UInt8], Bool)])
    func namesComeInOrderAndEachOnce(letters: [UInt8], isRight: Bool) throws {
        // No reference, the count, then each name behind its length.
        var decoder = try StateDecoder([StateDecoder.version, 0, 2] + letters.flatMap { [1, $0] })
        if isRight {
            #expect(try decoder.names() == ["a", "b"])
        } else {
            #expect(throws: CodingFailure.self) { try decoder.names() }
        }
    }
}
