import ProjectDoctor
import SyncOracle

/// A location of the doctor; the testing library has a type of the name, too.
typealias Location = ProjectDoctor.SourceLocation

/// Files by hand that readers understand, for tests that change them.
enum ReaderFixtures {
    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd" [ <!ENTITY a "b"> ]>
        <plist version="1.0">
        <dict>
            <!-- A comment > with < signs. -->
            <key>name</key><string>A &amp; B &#x41;<![CDATA[<c>]]></string>
            <key>list</key><array><integer>-7</integer><real>1.5</real><true/><false/><date>2026-01-01T00:00:00Z</date></array>
            <key>data</key><data>AAEC Aw==</data>
            <key>empty</key><string/>
            <key>inner</key><dict/>
        </dict>
        </plist>

        """

    static let pbxproj = #"""
        // !$*UTF8*$!
        {
            archiveVersion = 1;
            objects = {
                P /* Project object */ = {
                    isa = PBXProject; mainGroup = G; targets = (T, E, U, );
                    buildConfigurationList = PL; projectDirPath = "";
                };
                G = {isa = PBXGroup; children = (APP, SHARED, VAR, CONF, SYNC, ); sourceTree = "<group>"; };
                APP = {isa = PBXGroup; children = (F1, F2, MODEL, ); path = App; sourceTree = "<group>"; };
                F1 = {isa = PBXFileReference; path = "App File.swift"; sourceTree = "<group>"; };
                F2 = {isa = PBXFileReference; path = Missing.swift; sourceTree = "<group>"; };
                MODEL = {isa = XCVersionGroup; children = (V1, ); path = Model.xcdatamodeld; sourceTree = "<group>"; };
                V1 = {isa = PBXFileReference; path = Model.xcdatamodel; sourceTree = "<group>"; };
                SHARED = {isa = PBXFileReference; path = Shared/S.swift; sourceTree = SOURCE_ROOT; };
                VAR = {isa = PBXVariantGroup; children = (EN, ); name = L.strings; sourceTree = "<group>"; };
                EN = {isa = PBXFileReference; path = en.lproj/L.strings; sourceTree = "<group>"; };
                CONF = {isa = PBXFileReference; path = Config/Base.xcconfig; sourceTree = "<group>"; };
                SYNC = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = (X1, X2, ); path = Synced; sourceTree = "<group>"; };
                X1 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Info.plist, Sub, ); target = T; };
                X2 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Sub/Both.swift, ); target = E; };
                T = {
                    isa = PBXNativeTarget; name = Notes; productType = "com.apple.product-type.application";
                    buildConfigurationList = TL; buildPhases = (S, R, C, ); dependencies = (D, );
                    fileSystemSynchronizedGroups = (SYNC, ); productReference = PR;
                };
                E = {
                    isa = PBXNativeTarget; name = Widget; productType = "com.apple.product-type.app-extension";
                    buildConfigurationList = EL; buildPhases = (ES, ); productReference = EP;
                };
                U = {isa = PBXNativeTarget; name = Tests; productType = "com.apple.product-type.bundle.unit-test"; buildPhases = (); };
                S = {isa = PBXSourcesBuildPhase; files = (B1, B2, B3, B4, ); };
                R = {isa = PBXResourcesBuildPhase; files = (B5, ); };
                C = {isa = PBXCopyFilesBuildPhase; files = (B6, ); };
                ES = {isa = PBXSourcesBuildPhase; files = (B3, ); };
                B1 = {isa = PBXBuildFile; fileRef = F1 /* App File.swift */; };
                B2 = {isa = PBXBuildFile; fileRef = F2; };
                B3 = {isa = PBXBuildFile; fileRef = SHARED; };
                B4 = {isa = PBXBuildFile; fileRef = MODEL; };
                B5 = {isa = PBXBuildFile; fileRef = VAR; };
                B6 = {isa = PBXBuildFile; fileRef = EP; };
                EP = {isa = PBXFileReference; path = Widget.appex; sourceTree = BUILT_PRODUCTS_DIR; };
                D = {isa = PBXTargetDependency; target = E; };
                PL = {isa = XCConfigurationList; buildConfigurations = (PD, PR1, ); defaultConfigurationName = Release; };
                PD = {isa = XCBuildConfiguration; name = Debug; baseConfigurationReference = CONF; buildSettings = {
                    SDKROOT = iphoneos; OTHER = ("-a", "-b", ); SWIFT_ACTIVE_COMPILATION_CONDITIONS = DEBUG; }; };
                PR1 = {isa = XCBuildConfiguration; name = Release; buildSettings = { SDKROOT = iphoneos; }; };
                TL = {isa = XCConfigurationList; buildConfigurations = (TD, TR, ); };
                TD = {isa = XCBuildConfiguration; name = Debug; buildSettings = {
                    "CODE_SIGN_ENTITLEMENTS[sdk=iphoneos*]" = "$(SRCROOT)/App/$(TARGET_NAME).entitlements";
                    OTHER = "$(inherited) -c"; PRODUCT_BUNDLE_IDENTIFIER = "$(PREFIX).$(PRODUCT_NAME:lower)"; }; };
                TR = {isa = XCBuildConfiguration; name = Release; buildSettings = { }; };
                EL = {isa = XCConfigurationList; buildConfigurations = (ED, ); };
                ED = {isa = XCBuildConfiguration; name = Debug; baseConfigurationReferenceAnchor = SYNC;
                    baseConfigurationReferenceRelativePath = Widget.xcconfig;
                    buildSettings = { SUPPORTED_PLATFORMS = "iphoneos iphonesimulator macosx"; A = a;
                    "A[sdk=macosx*]" = "$(inherited) mac"; }; };
            };
            rootObject = P;
        }

        """#

    static let files: [String: String] = [
        "N.xcodeproj/project.pbxproj": pbxproj, "App/App File.swift": "", "App/Model.xcdatamodeld/Model.xcdatamodel/contents": "",
        "Shared/S.swift": "", "en.lproj/L.strings": "", "Config/Base.xcconfig": "#include \"More.xcconfig\"\nOTHER = -x // comment\n",
        "Config/More.xcconfig": "PREFIX = com.example\n", "Synced/A.swift": "", "Synced/Info.plist": "", "Synced/Sub/Both.swift": "",
        "Synced/Widget.xcconfig": "PREFIX = com.widget\n", "Loose.swift": "",
    ]

    static let yaml = """
        # A specification.
        name: Notes
        options: {bundleIdPrefix: com.example, "quoted": 'it''s'}
        settings:
          base:
            SWIFT_VERSION: 6.0
        settingGroups:
          shared:
            SHARED: yes
        targets:
          App:
            type: application
            platform: [iOS,
              macOS]
            sources:
            - App
            - path: Shared
              excludes:
                - "**/*.md"
                - Old/*
            settings:
              groups: [shared]
              base:
                FOLDED: >-
                  one
                  two
              configs:
                Debug: {APS: development}
            entitlements:
              path: App/App.entitlements
              properties:
                aps-environment: development
                com.apple.developer.icloud-services: [CloudKit]
                on: true
            dependencies:
              - target: Widget
              - sdk: CloudKit.framework
          Widget:
            type: app-extension
            platform: iOS
            sources: Widget # a comment

        """

    static let package = #"""
        // swift-tools-version: 6.0
        import PackageDescription

        /* .target(name: "Comment") /* nested */ */
        let text = ".target(name: \"String\")"
        let package = Package(
            name: "P",
            products: [.library(name: "P", targets: ["Core"])],
            dependencies: [.package(url: "https://example.com/x", from: "1.0.0")],
            targets: [
                .target(
                    name: "Core", dependencies: ["Base", .product(name: "X", package: "x", condition: .when(platforms: [.iOS]))],
                    exclude: ["Old"]),
                .target(name: "Base", path: "Elsewhere/Base"),
                .executableTarget(name: "tool", dependencies: [.target(name: "Core"), "Base"]),
                .testTarget(name: "CoreTests", dependencies: ["Core"] + more),
                .target(name: computed),
            ]
        )

        """#

    static let scheme = """
        <?xml version="1.0" encoding="UTF-8"?>
        <Scheme version = "1.7">
           <TestAction><CommandLineArguments>
             <CommandLineArgument argument = "-test" isEnabled = "YES"></CommandLineArgument></CommandLineArguments></TestAction>
           <LaunchAction buildConfiguration = "Debug"><CommandLineArguments>
             <CommandLineArgument argument = "-com.apple.CoreData.CloudKitDebug 1" isEnabled = "YES"></CommandLineArgument>
             <CommandLineArgument argument = "-off" isEnabled = "NO"/></CommandLineArguments></LaunchAction>
        </Scheme>

        """

    static func project(_ contents: [String: String], name: String = "Folder") -> Project {
        ProjectReader.read(ProjectFiles(name: name, contents: contents.mapValues { Array($0.utf8) }))
    }

    /// Bytes changed in one to four of the ways in which files break.
    static func mutated(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(4) where !bytes.isEmpty {
            let index = random.below(bytes.count)
            let end = min(bytes.count, index + 1 + random.below(40))
            switch random.below(6) {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.removeSubrange(index...)
            case 2: bytes.removeSubrange(index..<end)
            case 3: bytes.insert(contentsOf: bytes[index..<end], at: random.below(bytes.count))
            case 4: bytes[index] ^= 1 << UInt8(random.below(8))
            default: bytes.insert(contentsOf: Array("\"<>{([])};=#:- \t\r\n$(\\*&'".utf8).shuffled(using: &random).prefix(3), at: index)
            }
        }
        return bytes
    }
}
