import Foundation
import ProjectDoctor
import Testing

/// Projects of our own after public shapes, each a small app: how much of what the doctor says of them is true.
@Suite struct CorpusTests {
    @Test func errorsAndWarningsAreTrueAndWhatIsTrueIsFound() throws {
        var tally = CorpusTally()
        for name in CorpusProject.names {
            let findings = Doctor.examine(ProjectFiles(folder: "\(CorpusProject.folder)/\(name)")).findings
            tally.judge(name, try CorpusProject.named(name), findings)
        }
        #expect(tally.expectedCount > 40)
        #expect(tally.truth(.error) >= 97, "\(tally)")
        #expect(tally.truth(.warning) >= 90, "\(tally)")
        #expect(tally.recall >= 95, "\(tally)")
    }

    @Test func thereAreTwentyProjectsAndMore() { #expect(CorpusProject.names.count >= 20) }

    /// What is expected of a line that is not there would never be found, or never be missed.
    @Test(arguments: CorpusProject.names) func locationsExist(_ name: String) throws {
        let project = try CorpusProject.named(name)
        let locations = (project.expected + project.allowed).flatMap(\.at) + project.nearMisses.flatMap(\.at)
        for location in locations {
            let contents = try String(contentsOfFile: "\(CorpusProject.folder)/\(name)/\(location.path)", encoding: .utf8)
            #expect(location.line <= contents.split(separator: "\n", omittingEmptySubsequences: false).count, "\(location)")
        }
        #expect(project.expected.allSatisfy { ["error", "warning"].contains($0.severity) && !$0.at.isEmpty && !$0.rules.isEmpty })
    }
}
