import Testing

/// A clone's own configuration runs no program, and nothing that it names is waited for; all settings are among the tests of programs.
@Suite struct HostileCloneTests {
    @Test func aRemoteWhoseAddressIsACommandIsNotRun() throws { try HostileClone().expectNoRemoteIsRun("ext::touch RAN") }

    @Test(arguments: ["mailmap.file", "core.fsmonitor"]) func settingsThatNameAProgramOrAFileHaveNoEffect(_ key: String) throws {
        try HostileClone().expectNoEffect(of: key)
    }

    @Test func aMailmapThatIsAFIFOIsNotWaitedFor() throws { try HostileClone().expectNoWait(for: ".mailmap") }
}
