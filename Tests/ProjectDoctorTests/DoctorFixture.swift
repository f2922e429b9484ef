import ProjectDoctor

/// A project of which the doctor finds nothing to say, to be changed in one way for each test.
struct DoctorFixture {
    var contents: [String: String] = [
        "project.yml": Self.project, "Notes/Notes.entitlements": Self.entitlements, "Notes/Info.plist": Self.information,
        "Notes/Models.swift": Self.models, "Notes/NotesApp.swift": Self.app, "Schemes/Notes.xcscheme": Self.scheme,
        "Notes.ckdb": Self.schema,
    ]

    var files: ProjectFiles { ProjectFiles(name: "Notes", contents: contents.mapValues { Array($0.utf8) }) }

    /// The contents as they were in an earlier version, where there is one.
    var earlier: [String: String]?

    /// What a store or a log of the app shows, where there is one.
    var measurements: [Measurement] = []

    func diagnosis(_ options: Doctor.Options = Doctor.Options()) -> Diagnosis {
        var options = options
        options.measurements = measurements
        options.earlier = earlier.map { ("v1", ProjectFiles(name: "Notes", contents: $0.mapValues { Array($0.utf8) })) }
        return Doctor.examine(files, options)
    }

    /// Replaces a text that occurs once.
    mutating func replace(_ old: String, with new: String, in path: String) {
        let text = contents[path] ?? ""
        let parts = text.split(separator: old, omittingEmptySubsequences: false)
        precondition(parts.count == 2, "\(old) occurs once in \(path), not \(parts.count - 1) times")
        contents[path] = parts.joined(separator: new)
    }

    /// Adds an extension with entitlements of its own.
    mutating func addWidget(entitlements: String) {
        contents["Widget/Widget.entitlements"] = entitlements
        contents["project.yml", default: ""] += """
              Widget:
                type: app-extension
                platform: iOS
                sources: [Widget]
                entitlements:
                  path: Widget/Widget.entitlements
                settings:
                  base:
                    APS_ENVIRONMENT: development

            """
    }

    static let project = """
        name: Notes
        targets:
          Notes:
            type: application
            platform: iOS
            sources: [Notes]
            entitlements:
              path: Notes/Notes.entitlements
            settings:
              base:
                INFOPLIST_FILE: Notes/Info.plist
                PRODUCT_BUNDLE_IDENTIFIER: example.notes
              configs:
                Debug:
                  APS_ENVIRONMENT: development
                  SWIFT_ACTIVE_COMPILATION_CONDITIONS: DEBUG
                Release:
                  APS_ENVIRONMENT: production

        """

    static let entitlements = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        	<key>aps-environment</key>
        	<string>$(APS_ENVIRONMENT)</string>
        	<key>com.apple.developer.icloud-container-identifiers</key>
        	<array>
        		<string>iCloud.example.notes</string>
        	</array>
        	<key>com.apple.developer.icloud-services</key>
        	<array>
        		<string>CloudKit</string>
        	</array>
        	<key>com.apple.security.application-groups</key>
        	<array>
        		<string>group.example.notes</string>
        	</array>
        </dict>
        </plist>

        """

    static let information = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        	<key>UIBackgroundModes</key>
        	<array>
        		<string>remote-notification</string>
        	</array>
        </dict>
        </plist>

        """

    static let models = """
        import SwiftData

        @Model
        final class Note {
            var id: UUID = UUID()
            var title: String?
            var isPinned: Bool = false
            @Relationship(deleteRule: .cascade, inverse: \\Tag.note)
            var tags: [Tag]?

            init() {}
        }

        @Model
        final class Tag {
            var name: String = ""
            var note: Note?

            init() {}
        }

        """

    static let app = """
        import SwiftData
        import SwiftUI
        import SyncObservationSwiftData

        @main
        struct NotesApp: App {
            let container: ModelContainer

            init() {
                let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes"))
                do {
                    container = try ModelContainer(for: Note.self, configurations: configuration)
                } catch {
                    fatalError("\\(error)")
                }
            }

            var body: some Scene {
                WindowGroup { Text("") }
            }
        }

        """

    static let scheme = """
        <?xml version="1.0" encoding="UTF-8"?>
        <Scheme>
           <LaunchAction buildConfiguration = "Debug">
              <CommandLineArguments>
                 <CommandLineArgument argument = "-com.apple.CoreData.CloudKitDebug 1" isEnabled = "YES"> </CommandLineArgument>
              </CommandLineArguments>
           </LaunchAction>
        </Scheme>

        """

    static let schema = """
        DEFINE SCHEMA

            RECORD TYPE CD_Note (
                "___createTime" TIMESTAMP,
                "___recordID"   REFERENCE QUERYABLE,
                CD_entityName   STRING QUERYABLE,
                CD_id           STRING QUERYABLE SEARCHABLE SORTABLE,
                CD_title        STRING,
                CD_title_ckAsset ASSET,
                CD_isPinned     INT64,
                GRANT WRITE TO "_creator",
                GRANT READ TO "_creator"
            );

            RECORD TYPE CD_Tag (
                CD_entityName   STRING QUERYABLE,
                CD_name         STRING,
                CD_note         STRING
            );

        """
}
