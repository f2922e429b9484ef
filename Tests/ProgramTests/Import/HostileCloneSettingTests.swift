import Testing

/// Everything by which a clone's own configuration could run a program or make an import wait.
struct HostileCloneSettingTests {
    @Test(arguments: ["ext::touch RAN", "helper", "FAR"])
    func aRemoteWhoseAddressOrHelperIsACommandIsNotRun(_ address: String) throws { try HostileClone().expectNoRemoteIsRun(address) }

    @Test(
        arguments: [
            "mailmap.file", "core.attributesFile", "core.excludesFile", "diff.orderFile", "core.fsmonitor", "core.pager", "core.editor",
            "core.sshCommand", "core.gitProxy", "core.alternateRefsCommand", "core.askPass", "credential.helper", "diff.external",
            "diff.d.command",
            "diff.d.textconv", "filter.d.smudge", "filter.d.process", "gpg.program", "uploadpack.packObjectsHook", "trace2.eventTarget",
        ])
    func settingsThatNameAProgramOrAFileHaveNoEffect(_ key: String) throws { try HostileClone().expectNoEffect(of: key) }

    @Test(arguments: [".mailmap", ".git/info/grafts"])
    func aMailmapOrGraftsThatAreAFIFOAreNotWaitedFor(_ name: String) throws { try HostileClone().expectNoWait(for: name) }
}
