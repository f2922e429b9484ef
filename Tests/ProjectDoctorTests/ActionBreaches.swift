import ProjectDoctor

/// Projects whose code or settings break one rule about what apps do with stores, accounts and pushes.
extension RuleTests {
    static let actionBreaches: [Breach] = [
        Breach("production.unchecked", at: "Notes/NotesApp.swift:10") { $0.contents["Notes.ckdb"] = nil },
        Breach("schema.unique-local", at: "Notes/Draft.swift:2") {
            $0.contents["Notes/Draft.swift"] = """
                @Model final class Draft {
                    @Attribute(.unique) var key: String = ""
                }
                let drafts = try ModelContainer(for: Draft.self, configurations: ModelConfiguration(cloudKitDatabase: .none))
                """
            $0.replace(
                "INFOPLIST_FILE: Notes/Info.plist", with: "INFOPLIST_FILE: Notes/Info.plist\n        IPHONEOS_DEPLOYMENT_TARGET: \"17.0\"",
                in: "project.yml")
        },
        Breach("deployment.container-list", at: "Notes/Notes.entitlements:7") {
            $0.replace("\t\t<string>iCloud.example.notes</string>\n", with: "", in: entitlements)
        },
        Breach("deployment.extension-service", at: "Widget/Widget.entitlements:1") {
            $0.addWidget(entitlements: "<plist><dict/></plist>")
            $0.contents["Widget/Store.swift"] = """
                let notes = try ModelContainer(
                    for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes")))
                """
        },
        Breach("deployment.development-in-release", at: "Notes/Notes.entitlements:5") {
            $0.replace(
                "<key>aps-environment</key>",
                with:
                    "<key>com.apple.developer.icloud-container-environment</key>\n\t<string>Development</string>\n\t<key>aps-environment</key>",
                in: entitlements)
        },
        Breach("deployment.push-environment", at: "Notes/Notes.entitlements:5") {
            $0.replace("APS_ENVIRONMENT: development", with: "APS_ENVIRONMENT: production", in: "project.yml")
        },
        Breach("deployment.container-shared", at: "Notes/Notes.entitlements:7") {
            $0.replace(
                "APS_ENVIRONMENT: development",
                with: "APS_ENVIRONMENT: development\n          PRODUCT_BUNDLE_IDENTIFIER: example.notes.debug",
                in: "project.yml")
        },
        Breach("deployment.key-value-store", at: "Notes/Settings.swift:1") {
            $0.contents["Notes/Settings.swift"] = "let settings = NSUbiquitousKeyValueStore.default\n"
        },
        Breach("deployment.sharing", at: "Notes/Scene.swift:2") {
            $0.contents["Notes/Scene.swift"] = """
                final class Scene: UIResponder, UIWindowSceneDelegate {
                    func windowScene(_ scene: UIWindowScene, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata) {}
                }
                """
        },
        Breach("deployment.interface", at: "Notes/NotesApp.swift:10") {
            $0.replace("cloudKitDatabase: .private(", with: "cloudKitDatabase: .public(", in: app)
        },
        Breach("deployment.store-deletion", at: "Notes/Account.swift:1") {
            $0.contents["Notes/Account.swift"] = "func signOut(_ container: ModelContainer) { container.deleteAllData() }\n"
        },
        Breach("deployment.descriptions", at: "Notes/Stack.swift:4") {
            addCoreData(&$0)
            $0.contents["Notes/Stack.swift"] = """
                func makeContainer(_ url: URL) -> NSPersistentContainer {
                    let container = NSPersistentCloudKitContainer(name: "Cards")
                    let description = NSPersistentStoreDescription(url: url)
                    container.persistentStoreDescriptions = [description]
                    return container
                }
                """
        },
        Breach("reporting.dropped-conflict", at: "Notes/Push.swift:4") {
            $0.contents["Notes/Push.swift"] = """
                func push(_ error: CKError) {
                    switch error.code {
                    case .networkFailure: retry()
                    case .serverRecordChanged: logger.info("another device was first")
                    default: show(error)
                    }
                }
                """
        },
        Breach("reporting.subscription", at: "Notes/NotesApp.swift:4") {
            $0.contents["Notes/Models.swift"] = nil
            $0.contents["Notes/NotesApp.swift"] = """
                import CloudKit
                func save(_ container: CKContainer) async throws {
                    guard try await container.accountStatus() == .available else { return }
                    let record = CKRecord(recordType: "Leaf")
                    try await container.privateCloudDatabase.save(record)
                }
                """
            $0.contents["Notes.ckdb", default: ""] += "\nRECORD TYPE Leaf ( title STRING );\n"
        },
        Breach("reporting.account", at: "Notes/Own.swift:3") {
            addRecord(&$0)
            $0.contents["Notes/Own.swift", default: ""] += "let database = CKContainer.default().privateCloudDatabase\n"
        },
        Breach("reporting.polling", at: "Notes/Poll.swift:3") {
            $0.contents["Notes/Poll.swift"] = """
                import CoreData
                func start() {
                    Timer.scheduledTimer(withTimeInterval: 30, repeats: true) { _ in engine.syncNow() }
                }
                """
        },
        Breach("deployment.public-share", at: "Notes/Share.swift:2") {
            $0.contents["Notes/Share.swift"] = """
                let database = CKContainer.default().publicCloudDatabase
                func share(_ record: CKRecord) { let share = CKShare(rootRecord: record) }
                """
        },
        Breach("size.public-assets", at: "Notes/Pictures.swift:2") {
            $0.contents["Notes/Pictures.swift"] = """
                let database = CKContainer.default().publicCloudDatabase
                func asset(_ url: URL) -> CKAsset { CKAsset(fileURL: url) }
                """
        },
        Breach("losses.own-list", at: "Notes/Own.swift:6") { addValue(&$0, "parts", "LIST<STRING>", "note.parts as [String]") },
        Breach("losses.own-structure", at: "Notes/Own.swift:6") { addValue(&$0, "rule", "BYTES", "try? JSONEncoder().encode(rule)") },
        Breach("losses.own-counter", at: "Notes/Own.swift:6") {
            addValue(&$0, "count", "INT64", "(record[\"count\"] as? Int ?? 0) + 1")
        },
        Breach("losses.together", at: "Notes/Form.swift:3") {
            addFields(&$0)
            $0.contents["Notes/Form.swift"] = """
                struct Form {
                    func save(_ note: Note) {
                        note.title = title
                        note.subtitle = subtitle
                        note.color = color
                    }
                    func pin(_ note: Note) { note.isPinned = true }
                }
                """
        },
    ]

    /// A record of the app's own of which one key is set in the sixth line.
    static func addValue(_ fixture: inout DoctorFixture, _ key: String, _ type: String, _ value: String) {
        addRecord(&fixture)
        fixture.replace("count INT64 )", with: "\(key) \(type) )", in: "Notes.ckdb")
        fixture.contents["Notes/Own.swift", default: ""] += "func set(_ record: CKRecord) { record[\"\(key)\"] = \(value) }\n"
    }

    /// More attributes of a note, which the schema has too.
    static func addFields(_ fixture: inout DoctorFixture) {
        fixture.replace("var title: String?", with: "var title: String?\n    var subtitle: String?\n    var color: Int = 0", in: models)
        fixture.replace("CD_title        STRING,", with: "CD_title STRING, CD_subtitle STRING, CD_color INT64,", in: "Notes.ckdb")
    }
}
