import ProjectDoctor
import Testing

/// The patch that sets the variable of the entitlements.
struct SettingPatchTests {
    /// The app with a file of settings for each configuration.
    private static func fixture(debug: String = "A = 1\n", release: String = "A = 2\n", files: String = "Debug.xcconfig") -> DoctorFixture {
        var fixture = DoctorFixture()
        fixture.contents["Debug.xcconfig"] = debug
        fixture.contents["Release.xcconfig"] = release
        fixture.replace(
            "    sources: [Notes]\n",
            with: "    sources: [Notes]\n    configFiles: {Debug: \(files), Release: Release.xcconfig}\n", in: "project.yml")
        fixture.replace("          APS_ENVIRONMENT: production\n", with: "          OTHER: production\n", in: "project.yml")
        return fixture
    }

    private static func patch(_ fixture: DoctorFixture) -> String { ProjectPatch(fixture.diagnosis(), fixture.files).text }

    @Test func theFileOfTheConfigurationGetsTheVariable() {
        #expect(
            Self.patch(Self.fixture()) == """
                --- Release.xcconfig
                +++ Release.xcconfig
                @@ -1,1 +1,2 @@
                 A = 2
                +APS_ENVIRONMENT = production

                """)
        #expect(
            Self.patch(Self.fixture(release: "A = 2")).contains(
                "-A = 2\n\\ No newline at end of file\n+A = 2\n+APS_ENVIRONMENT = production\n"))
        #expect(Self.patch(Self.fixture(release: "A = 2\r\n")).contains(" A = 2\r\n+APS_ENVIRONMENT = production\r\n"))
        #expect(Self.patch(Self.fixture(release: "")) == "")
    }

    @Test func aLiteralBecomesAVariableOfBothFiles() {
        var fixture = Self.fixture()
        fixture.replace("$(APS_ENVIRONMENT)", with: "development", in: RuleTests.entitlements)
        fixture.replace("          APS_ENVIRONMENT: development\n", with: "          OTHER: 1\n", in: "project.yml")
        let patch = Self.patch(fixture)
        #expect(patch.contains(" A = 1\n+APS_ENVIRONMENT = development\n"))
        #expect(patch.contains(" A = 2\n+APS_ENVIRONMENT = production\n"))
        #expect(patch.contains("-\t<string>development</string>\n+\t<string>$(APS_ENVIRONMENT)</string>\n"))
        // Another variable of the name has another meaning.
        fixture.contents["Debug.xcconfig"] = "APS_ENVIRONMENT = other\n"
        #expect(Self.patch(fixture) == "")
    }

    @Test func aFileOfBothConfigurationsIsLeftAlone() {
        #expect(Self.patch(Self.fixture(files: "Release.xcconfig")) == "")
        var fixture = Self.fixture()
        fixture.replace("$(APS_ENVIRONMENT)", with: "$(APS_ENVIRONMENT:lower)", in: RuleTests.entitlements)
        #expect(Self.patch(fixture) == "")
    }
}
