package import FileFormats

/// The launch arguments of a scheme of Xcode, `*.xcscheme`.
package enum SchemeFile {
    /// The arguments that are switched on for running.
    package static func launchArguments(_ file: SourceFile) throws(FormatError) -> [Project.LaunchArgument] {
        var reader = XMLReader(file.bytes)
        let lines = LineTable(file)
        var arguments: [Project.LaunchArgument] = []
        // How many elements are open inside the launch action, itself included.
        var depth = 0
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes, _):
                if depth > 0 || name == "LaunchAction" { depth += 1 }
                guard depth > 0, name == "CommandLineArgument", attributes["isEnabled"] == "YES",
                    let argument = attributes.attribute("argument")
                else { continue }
                arguments.append(Project.LaunchArgument(text: argument.value, location: lines.location(at: argument.offset)))
            case .end: if depth > 0 { depth -= 1 }
            case .text: break
            }
        }
        return arguments
    }
}
