import Foundation
import Testing

/// A write that was acknowledged by the hub and is nowhere else.
package struct MissingWriteCheck {
    private let directory: TemporaryDirectory

    /// With a directory of its own.
    package init() throws { directory = try TemporaryDirectory() }

    /// The third write of the second device leaves every other log without a trace of a line, and is named.
    package func missingWrite(_ size: SimulatedFleet.Size, seed: Int) async throws {
        let fleet = try await SimulatedFleet(directory, size, seed: seed)
        let own = "iPad-2.jsonl"
        let pattern = #""device":"iPad-2","n":3,"#
        for name in fleet.logs + ["trace.jsonl"] where name != own {
            let kept = try fleet.lines(name).filter { !($0.contains(#""event":"write""#) && $0.contains(pattern)) }
            try fleet.write(try Forgery.renumbered(kept), to: name)
        }
        let found = try await TestWorld.findings([fleet.path])
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("missing_write: \(fleet.path)/\(own):") == true)
        #expect(found.first?.hasSuffix("write 3 of iPad-2 was acknowledged by the hub and is in no other log") == true)
    }
}
