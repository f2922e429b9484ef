import Foundation
import SyncAuditCommands
import Testing

/// Makes pages for users out of traces.
struct UserPageMaker {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The page of a trace and its audit.
    func page(_ trace: String, _ arguments: [String] = [], format: String = "html", policies: [String] = []) throws -> String {
        let story = try Story(directory, trace: trace, policies)
        let world = TestWorld()
        let options = ["report", "--format", format, "--for", "user"] + arguments
        #expect(world.run(options + [story.log, story.trace]) == .success, "\(world.errorText)")
        return world.output.text
    }

    /// What a reader sees.
    static func words(_ page: String) -> String {
        let body = page.components(separatedBy: "<body").last ?? ""
        return body.replacing(#/<[^>]*>/#, with: " ").replacing(#/ +/#, with: " ").replacing("&#39;", with: "'")
    }
}
