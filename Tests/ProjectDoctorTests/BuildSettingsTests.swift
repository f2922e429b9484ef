import ProjectDoctor
import SyncOracle
import Testing

struct BuildSettingsTests {
    private static func assignments(_ text: String) -> [BuildAssignment] {
        BuildSettingsFile(SourceFile(path: "x", bytes: Array(text.utf8))).items.compactMap { item in
            if case .assignment(let assignment) = item { assignment } else { nil }
        }
    }

    private static func resolver(_ levels: String..., sdks: [String] = []) -> BuildSettingsResolver {
        BuildSettingsResolver(levels: levels.map(assignments), target: "My App", configuration: "Debug", project: "Notes", sdks: sdks)
    }

    // MARK: Files

    @Test func linesAreSettingsInclusionsOrNotes() {
        let text =
            "\u{feff}// c\r\nA = b c // d\rB[sdk=iphoneos*][config=Debug] =\n#include? \"x/y\"\n"
            + "D[sdk=a,arch=b]=$(inherited) = 1\njunk\n#if\nE[x = 1\n"
        let file = BuildSettingsFile(SourceFile(path: "p", bytes: Array(text.utf8)))
        func location(_ line: Int) -> Location { Location(path: "p", line: line) }
        func condition(_ name: String, _ pattern: String) -> BuildAssignment.Condition {
            BuildAssignment.Condition(name: name, pattern: pattern)
        }
        #expect(
            file.items == [
                .assignment(BuildAssignment(name: "A", text: "b c", location: location(2))),
                .assignment(
                    BuildAssignment(
                        name: "B", conditions: [condition("sdk", "iphoneos*"), condition("config", "Debug")], text: "",
                        location: location(3))),
                .include(path: "x/y", isOptional: true, location: location(4)),
                .assignment(
                    BuildAssignment(
                        name: "D", conditions: [condition("sdk", "a"), condition("arch", "b")], text: "$(inherited) = 1",
                        location: location(5))),
            ])
        #expect(file.notes.map(\.location.line) == [6, 7, 8])
        #expect(file.notes.first?.sentence == "\"junk\" is neither a setting nor an inclusion")
    }

    /// Xcode takes a semicolon at the end of a value, as project files have one.
    @Test(arguments: [
        ("SDKROOT = macosx;", "macosx"), ("A = b ; // c", "b"), ("A = a;b;;", "a;b"), ("A = ;", ""), ("A=x//;", "x"),
        ("A[sdk=macosx*] = App/App.entitlements;\t", "App/App.entitlements"), ("A = \"b;\";", "\"b;\""),
    ]) func aSemicolonAtTheEndIsNoneOfTheValue(line: String, text: String) {
        #expect(Self.assignments(line).map(\.text) == [text])
    }

    private static func flattened(_ contents: [String: String], _ path: String) -> (texts: [String], notes: [String]) {
        var files = BuildSettingsFiles(ProjectFiles(name: "", contents: contents.mapValues { Array($0.utf8) }))
        let assignments = files.assignments(of: path, from: Location(path: "from"))
        return (assignments.map { "\($0.name)=\($0.text)" }, files.notes.map { "\($0.location.path):\($0.location.line) \($0.sentence)" })
    }

    @Test func includedSettingsComeWhereTheyAreIncluded() {
        let result = Self.flattened(["a/x": "A=1\n#include \"../b/y\"\nC=3\n#include? \"none\"", "b/y": "B=2"], "a/x")
        #expect(result.texts == ["A=1", "B=2", "C=3"])
        #expect(result.notes == [])
    }

    @Test func filesThatIncludeThemselvesAreNoted() {
        let result = Self.flattened(["x": "A=1\n#include \"y\"", "y": "#include \"x\"\nB=2"], "x")
        #expect(result.texts == ["A=1", "B=2"])
        #expect(result.notes == ["y:1 the file \"x\" includes itself"])
    }

    @Test func filesOutsideOrMissingAreNoted() {
        let result = Self.flattened(["x": "#include \"../y\"\n#include \"/etc/passwd\"\n#include \"z\""], "x")
        #expect(
            result.notes == [
                "x:1 the included file \"../y\" is outside of the project's folder",
                "x:2 the included file \"/etc/passwd\" is outside of the project's folder",
                "x:3 the file \"z\" is not in the project's folder",
            ])
        #expect(Self.flattened([:], "x").notes == ["from:1 the file \"x\" is not in the project's folder"])
    }

    @Test func inclusionsThatDoubleEndAtTheLimit() {
        var contents = ["x40": "A=1"]
        for index in 0..<40 { contents["x\(index)"] = "#include \"x\(index + 1)\"\n#include \"x\(index + 1)\"" }
        let result = Self.flattened(contents, "x0")
        #expect(result.notes == ["x0:1 more than 100000 settings with those of included files"])
    }

    // MARK: Values

    @Test(
        arguments: [
            ("$(TARGET_NAME)", "My App", []), ("${PRODUCT_NAME:rfc1034identifier}", "My-App", []),
            ("$(TARGET_NAME:c99extidentifier)", "My_App", []),
            ("$(TARGET_NAME:lower:rfc1034identifier)", "my-app", []), ("$(CONFIGURATION:upper)", "DEBUG", []),
            ("$(SRCROOT)/a", "a", []), ("$(PROJECT_DIR)", "", []), ("b/$(SRCROOT)/a", "b//a", []),
            ("$(NONE:default=x$(PROJECT_NAME))", "xNotes", []),
            ("$(NONE:lower:default=a:b)", "a:b", []), ("$(EMPTY:default=e)", "e", []), ("$(NONE) b", "$(NONE) b", ["NONE"]),
            ("$(A_$(B)) $(A_$(NONE))", "nested $(A_$(NONE))", ["A_$(NONE)"]), ("$(B:dir)", "$(B:dir)", ["B:dir"]), ("$(B", "$(B", []),
            ("$ $$( $(B} ${B}", "$ $$( $(B} 1", []), ("$(VALUE)", "$(VALUE)", ["VALUE"]), ("$(C)", "$(C)", ["C"]), ("$()", "$()", [""]),
            ("$(U)$(U)", "$(NONE)$(NONE)", ["NONE"]), ("$(inherited)", "", []),
            ("$(9:c99extidentifier)", "$(9:c99extidentifier)", ["9:c99extidentifier"]),
        ] as [(String, String, [String])])
    func variablesAreReplaced(text: String, expected: String, unresolved: [String]) {
        var resolver = Self.resolver("A_1 = nested\nB = 1\nEMPTY =\nU = $(NONE)\nVALUE = \(text)")
        #expect(resolver.setting("VALUE")?.text == expected)
        #expect(resolver.setting("VALUE")?.unresolved == unresolved)
    }

    @Test func inheritedIsTheLevelBelow() {
        var resolver = Self.resolver("A = 1\nB = b", "A = $(inherited) 2", "", "A = $(inherited) 3\nPRODUCT_NAME = $(inherited)!")
        #expect(resolver.setting("A") == BuildSetting(text: "1 2 3", location: Location(path: "x", line: 1)))
        #expect(resolver.setting("B")?.text == "b")
        #expect(resolver.setting("PRODUCT_NAME")?.text == "My App!")
        #expect(resolver.setting("TARGET_NAME") == nil)
        #expect(resolver.all().keys.sorted() == ["A", "B", "PRODUCT_NAME"])
    }

    @Test func conditionsHoldForTheOnlyPlatform() {
        let text =
            "A[sdk=iphoneos*] = $(inherited)phone\nA = any\nA[sdk=macosx*] = mac\nB[config=Release] = r\nB[config=De*] = d\nC[arch=*] = c"
        var resolver = Self.resolver(text, sdks: ["iphoneos"])
        #expect(resolver.all().mapValues(\.text) == ["A": "anyphone", "B": "d", "C": "c"])
    }

    @Test func conditionsHaveEntriesWithSeveralPlatforms() {
        let text = "A[sdk=iphoneos*] = $(inherited)phone$(B)\nA = any\nB = b\nB[sdk=iphoneos*] = p\nC[sdk=iphoneos*] = c"
        var resolver = Self.resolver(text, "C = later", sdks: ["iphoneos", "macosx"])
        #expect(
            resolver.all().mapValues(\.text) == [
                "A": "any", "A[sdk=iphoneos*]": "anyphonep", "B": "b", "B[sdk=iphoneos*]": "p", "C": "later", "C[sdk=iphoneos*]": "later",
            ])
    }

    @Test func settingsThatReferToEachOtherAreUnresolved() {
        var resolver = Self.resolver("A = a$(B)\nB = b$(A)\nC = $(C)")
        #expect(resolver.setting("A") == BuildSetting(text: "ab$(A)", unresolved: ["A"], location: Location(path: "x", line: 1)))
        #expect(resolver.setting("C")?.unresolved == ["C"])
    }

    @Test func valuesThatDoubleEndAtTheLimit() {
        let text = (1...200).map { "A\($0) = $(A\($0 - 1))$(A\($0 - 1))" }.joined(separator: "\n") + "\nA0 = 0123456789"
        var resolver = Self.resolver(text)
        var settings: [String: BuildSetting] = [:]
        let time = processorTime { settings = resolver.all() }
        #expect(settings.values.allSatisfy { $0.text.utf8.count <= 2 * BuildSettingsResolver.maximumSize })
        #expect(settings["A10"]?.text.utf8.count == 10240)
        #expect(settings["A20"]?.unresolved.isEmpty == false)
        #expect(time < .seconds(20))
    }

    @Test func longChainsAndDeepNestingEnd() {
        let chain = (1...5000).map { "A\($0) = $(A\($0 - 1))" }.joined(separator: "\n") + "\nA0 = x"
        var resolver = Self.resolver(
            chain + "\nN = " + String(repeating: "$(", count: 30000) + "\nM = "
                + String(repeating: "$(", count: 10000) + String(repeating: ")", count: 10000))
        let settings = resolver.all()
        #expect(settings["A10"]?.text == "x")
        #expect(settings["M"]?.unresolved.isEmpty == false)
    }

    @Test(arguments: 0..<2 as Range<UInt64>) func changedBytesNeverCrash(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let good = Array(
            "A = $(B:lower:default=$(C))\nB[sdk=iphone*][config=Debug] = ${A} $(inherited)\n#include? \"x\"\nC = $(D_$(A))\n".utf8)
        for _ in 0..<1000 {
            let text = String(decoding: ReaderFixtures.mutated(good, &random), as: UTF8.self)
            var resolver = Self.resolver(text, text, sdks: ["iphoneos"])
            _ = resolver.all()
        }
    }
}
