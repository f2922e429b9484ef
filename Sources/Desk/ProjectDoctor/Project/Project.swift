package import FileFormats

/// What a project's folder says of its targets, before any rule.
package struct Project: Sendable {
    /// The targets of all project files, packages and specifications found.
    package var targets: [BuildTarget] = []
    /// What could not be read or decided, with the location.
    package var notes: [Note] = []
    /// The arguments of schemes, for each launch argument where it is switched on.
    package var launchArguments: [LaunchArgument] = []
    /// What a specification will write to property lists that do not exist yet, by their path.
    package var generatedPropertyLists: [String: GeneratedPropertyList] = [:]

    package init() {}

    /// A property list that a specification holds.
    package struct GeneratedPropertyList: Sendable {
        package let list: PropertyList
        /// The specification, in which the offsets are.
        package let path: String

        init(_ own: (list: PropertyList, path: String)) { (list, path) = own }
    }

    /// The libraries among the targets, by name.
    var libraries: [String: [BuildTarget]] { Dictionary(grouping: targets.filter { $0.kind == .library }) { $0.name } }

    /// How many files all targets may have together, those of a library counted once for each that depends on it.
    static let maximumLinkedFiles = 3_000_000

    /// The files of a target and of the libraries that it depends on, by whatever way; its own alone once too many are counted.
    func files(of target: BuildTarget, with libraries: [String: [BuildTarget]], remaining: inout Int) -> Set<String> {
        var files = Set(target.files.map(RelativePath.dataModelOrSelf))
        var left = target.dependencies
        var known = Set(left)
        while let name = left.popLast() {
            remaining -= 1
            for library in libraries[name, default: []] {
                remaining -= library.files.count
                guard remaining > 0 else { return Set(target.files.map(RelativePath.dataModelOrSelf)) }
                files.formUnion(library.files.map(RelativePath.dataModelOrSelf))
                left += library.dependencies.filter { known.insert($0).inserted }
            }
        }
        return files
    }

    package struct LaunchArgument: Hashable, Sendable {
        package let text: String
        package let location: SourceLocation

        package init(text: String, location: SourceLocation) { (self.text, self.location) = (text, location) }
    }
}

/// What could not be parsed or decided: said, and never guessed.
package struct Note: Hashable, Sendable {
    package let location: SourceLocation
    /// A sentence without its full stop.
    package let sentence: String

    package init(_ location: SourceLocation, _ sentence: String) { (self.location, self.sentence) = (location, sentence) }

    /// What stopped the reading of a file.
    package init(_ file: SourceFile, _ error: FormatError) {
        self.init(file.location(at: error.offset), error.sentence)
    }
}

/// A target: what it is built into, by which settings, and from which files.
package struct BuildTarget: Sendable {
    package enum Kind: String, Hashable, Sendable { case app, appExtension, library, tests, other }
    package enum Platform: String, Hashable, Sendable, CaseIterable {
        case iOS, macOS, tvOS, watchOS, visionOS, catalyst
    }

    package let name: String
    package let kind: Kind
    /// The systems that it is built for; empty where nothing says it.
    package let platforms: Set<Platform>
    /// One for each build configuration, such as Debug and Release.
    package let configurations: [BuildConfiguration]
    /// The paths of its files from the project's folder: Swift sources, data models, resources.
    package let files: [String]
    /// The systems of files that are not built for all of the target's, by path.
    package internal(set) var systems: [String: Set<Platform>] = [:]
    /// The names of the targets that are embedded in it or that it depends on.
    package internal(set) var dependencies: [String]
    /// Where the target is defined.
    package let location: SourceLocation
    /// The folder that paths in build settings start from; empty for the project's folder itself.
    package var folder = ""
    /// Whether no project file that could be read has it: it is all that a folder holds.
    package internal(set) var isAssumed = false

    package init(
        name: String, kind: Kind, platforms: Set<Platform>, configurations: [BuildConfiguration], files: [String],
        dependencies: [String], location: SourceLocation
    ) {
        self.name = name
        self.kind = kind
        self.platforms = platforms
        self.configurations = configurations
        self.files = files
        self.dependencies = dependencies
        self.location = location
    }
}

/// The settings by which a target is built in one configuration.
package struct BuildConfiguration: Sendable {
    /// Such as Debug.
    package let name: String
    /// Whether it is one for development: it defines DEBUG, or is named for it.
    package let isDebug: Bool
    /// The path of the `.xcconfig` that it is based on: the target's, or else the project's.
    package internal(set) var settingsFile: String?
    /// Whether no file with further settings is missing.
    package internal(set) var isComplete = true
    private let settings: [String: BuildSetting]

    package init(name: String, isDebug: Bool, settings: [String: BuildSetting]) {
        self.name = name
        self.isDebug = isDebug
        self.settings = settings
    }

    /// A setting with its variables replaced; nil where nothing sets it.
    package subscript(name: String) -> BuildSetting? { settings[name] }

    /// The names of all settings in order; those that hold for some systems alone with their condition, as `NAME[sdk=macosx*]`.
    package var settingNames: [String] { settings.keys.sorted() }
}

/// The value of a build setting, variables replaced.
package struct BuildSetting: Hashable, Sendable {
    package let text: String
    /// The variables in it of which nothing says what they are.
    package let unresolved: [String]
    /// Where the value that won is set.
    package let location: SourceLocation

    package init(text: String, unresolved: [String] = [], location: SourceLocation) {
        self.text = text
        self.unresolved = unresolved
        self.location = location
    }
}
