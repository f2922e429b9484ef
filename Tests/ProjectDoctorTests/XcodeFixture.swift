import ProjectDoctor

/// A folder with a project file of Xcode, written for a test, with apps whose store syncs.
struct XcodeFixture {
    /// A target with a synchronized folder of its name.
    struct Target {
        var name: String
        var type = "application"
        /// Settings of each configuration, as they are in a project file.
        var settings: [String: String] = [:]
        /// The folder, where it is not named like the target.
        var folder: String?
        /// Names of package products.
        var products: [String] = []
    }

    var targets: [Target]
    var contents: [String: String] = [:]
    /// Settings of all targets.
    var settings = "SDKROOT = iphoneos;"
    /// A file of settings for every configuration.
    var settingsFile: String?
    /// The folder of the project file, with a slash.
    var folder = ""

    static let named = "CODE_SIGN_ENTITLEMENTS = App/App.entitlements; INFOPLIST_FILE = App/Info.plist;"

    /// One app of which there is nothing to say.
    init() {
        targets = [Target(name: "App", settings: ["Debug": Self.named, "Release": Self.named])]
        contents = [
            "App/App.entitlements": Self.entitlements(), "App/Info.plist": DoctorFixture.information,
            "App/Store.swift": Self.store("Entry"),
        ]
    }

    /// A model class with an optional attribute, and a container that syncs it.
    static func store(_ name: String, _ attribute: String = "var title: String?", container: String = "iCloud.example.app") -> String {
        """
        import SwiftData
        @Model final class \(name) { \(attribute); init() {} }
        let store = try ModelContainer(
            for: \(name).self, configurations: ModelConfiguration(cloudKitDatabase: .private("\(container)")))

        """
    }

    static func entitlements(
        push: String = "$(APS_ENVIRONMENT)", container: String = "iCloud.example.app", service: String = "CloudKit"
    ) -> String {
        """
        <plist version="1.0"><dict>
        <key>aps-environment</key><string>\(push)</string>
        <key>com.apple.developer.icloud-container-identifiers</key><array><string>\(container)</string></array>
        <key>com.apple.developer.icloud-services</key><array><string>\(service)</string></array>
        </dict></plist>

        """
    }

    var projectFile: String {
        var objects = ""
        for (index, target) in targets.enumerated() {
            let type = "com.apple.product-type." + target.type
            let products = target.products.indices.map { "D\(index)x\($0)" }
            for (name, product) in zip(products, target.products) {
                objects += "\(name) = {isa = XCSwiftPackageProductDependency; productName = \(product); };\n"
            }
            objects += """
                G\(index) = {isa = PBXFileSystemSynchronizedRootGroup; path = "\(target.folder ?? target.name)"; sourceTree = "<group>"; };
                A\(index) = {isa = XCBuildConfiguration; name = Debug; buildSettings = {\(target.settings["Debug"] ?? "")}; };
                B\(index) = {isa = XCBuildConfiguration; name = Release; buildSettings = {\(target.settings["Release"] ?? "")}; };
                L\(index) = {isa = XCConfigurationList; buildConfigurations = (A\(index), B\(index), ); };
                T\(index) = {isa = PBXNativeTarget; name = "\(target.name)"; productType = "\(type)"; buildConfigurationList = L\(index);
                    fileSystemSynchronizedGroups = (G\(index), ); packageProductDependencies = (\(products.joined(separator: ", "))); };

                """
        }
        let base = settingsFile == nil ? "" : "baseConfigurationReference = X; "
        let groups = targets.indices.map { "G\($0)" }.joined(separator: ", ")
        return """
            // !$*UTF8*$!
            {objects = {
            \(objects)
            X = {isa = PBXFileReference; path = "\(settingsFile ?? "none")"; sourceTree = "<group>"; };
            PD = {isa = XCBuildConfiguration; name = Debug; \(base)buildSettings = {\(settings) APS_ENVIRONMENT = development; }; };
            PR = {isa = XCBuildConfiguration; name = Release; \(base)buildSettings = {\(settings) APS_ENVIRONMENT = production; }; };
            PL = {isa = XCConfigurationList; buildConfigurations = (PD, PR, ); };
            M = {isa = PBXGroup; children = (X, \(groups), ); sourceTree = "<group>"; };
            P = {isa = PBXProject; buildConfigurationList = PL; mainGroup = M;
                targets = (\(targets.indices.map { "T\($0)" }.joined(separator: ", ")), ); };
            }; rootObject = P; }

            """
    }

    /// All files of the folder, with the project file.
    var all: [String: String] {
        var all: [String: String] = [:]
        for (path, text) in contents { all[folder + path] = text }
        all[folder + "App.xcodeproj/project.pbxproj"] = all[folder + "App.xcodeproj/project.pbxproj"] ?? projectFile
        return all
    }

    func diagnosis() -> Diagnosis { Self.diagnosis(all) }

    static func diagnosis(_ contents: [String: String]) -> Diagnosis {
        Doctor.examine(ProjectFiles(name: "Folder", contents: contents.mapValues { Array($0.utf8) }))
    }
}

extension Diagnosis {
    /// Severity, rule, file and line of the findings, advice left out.
    var told: [String] {
        findings.filter { $0.severity != .advice }.map { "\($0.severity) \($0.rule) \($0.location.path):\($0.location.line)" }
    }

    /// Whether a sentence is among the notes.
    func notes(_ part: String) -> Bool { notes.contains { $0.sentence.contains(part) } }

    func state(_ title: String) -> ChecklistItem.State? { checklist.first { $0.title.hasPrefix(title) }?.state }
}
