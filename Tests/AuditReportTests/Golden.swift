import GoldenFiles
import Testing

/// Files in the folder `Golden` beside this one.
enum Golden {
    /// Compares a rendering with its file.
    static func expect(_ rendering: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let problem = GoldenFile(name).problem(with: rendering)
        #expect(problem == nil, sourceLocation: sourceLocation)
    }
}
