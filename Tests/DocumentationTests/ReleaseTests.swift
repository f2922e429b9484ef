import ChildProcess
import DocumentationPages
import Foundation
import Testing

@testable import SyncAuditCommands

/// A release is of the version that the code names, and one toolchain builds and tests it everywhere on Linux.
@Suite struct ReleaseTests {
    @Test(arguments: ["9.9.9", "v" + SyncAudit.version]) func anotherVersionIsRefusedBeforeTheBuild(tag: String) {
        let (status, errors) = ChildProcess.run([Repository.path(".ci/release"), tag])
        #expect(status == 65)
        #expect(errors.contains("the tag is '\(tag)'"))
        #expect(errors.contains("is '\(SyncAudit.version)'"))
    }

    @Test func workflowsAndContainerNameOneToolchain() throws {
        var images: [String] = []
        for name in [".ci/Containerfile", ".github/workflows/linux.yml", ".github/workflows/release.yml"] {
            let named = try Repository.text(name).matches(of: /\bswift:[0-9][\w.\-]*/).map { String($0.output) }
            #expect(!named.isEmpty, "\(name) names no image")
            images += named
        }
        #expect(Set(images).count == 1, "\(images)")
    }
}
