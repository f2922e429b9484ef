import Foundation
import SyncAuditCommands
import Testing

@Suite struct AtomicFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func write(_ name: String, _ content: String = "new") throws {
        try AtomicFile.write(to: directory.file(name)) { try $0.write(content) }
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file(name))
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    @Test func aNewFileAppearsWhole() throws {
        let result = try AtomicFile.write(to: directory.file("a")) { sink in
            try sink.write("one ")
            #expect(directory.content("a") == nil)
            // Without a name where the system has such files.
            #expect(directory.names.count <= 1)
            try sink.write("two")
            return 7
        }
        #expect(result == 7)
        #expect(directory.content("a") == "one two")
        #expect(directory.names == ["a"])
        let mask = umask(0)
        umask(mask)
        #expect(try mode("a") == 0o666 & ~Int(mask))
    }

    @Test func aFailureLeavesWhatWasThere() throws {
        struct Failure: Error {}
        try directory.create("a", "old")
        for name in ["a", "b"] {
            #expect(throws: Failure.self) {
                try AtomicFile.write(to: directory.file(name)) { sink in
                    try sink.write("half")
                    try sink.flush()
                    throw Failure()
                }
            }
        }
        #expect(directory.names == ["a"])
        #expect(directory.content("a") == "old")
    }

    @Test func aFileThatIsReplacedPassesItsModeOn() throws {
        try directory.create("a", "old")
        unsafe chmod(directory.file("a"), 0o646)
        try write("a")
        #expect(directory.content("a") == "new")
        #expect(try mode("a") == 0o646)
    }

    @Test func twoFilesAtOnceBothArrive() throws {
        try AtomicFile.write(to: directory.file("a")) { outer in
            try write("b")
            try outer.write("outer")
            try write("c")
        }
        #expect(directory.names == ["a", "b", "c"])
        #expect(directory.content("a") == "outer")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away")) func aFileThatIsReplacedPassesItsOwnerOn() throws {
        try directory.create("a", "old")
        unsafe chown(directory.file("a"), 4321, 8765)
        unsafe chmod(directory.file("a"), 0o2640)
        try write("a")
        #expect(directory.content("a") == "new")
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file("a"))
        #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue == 4321)
        #expect((attributes[.groupOwnerAccountID] as? NSNumber)?.intValue == 8765)
        #expect(try mode("a") & 0o7777 == 0o2640)
    }

    @Test(arguments: ["target", "deep/target"]) func aLinkStaysALink(_ target: String) throws {
        try directory.create("deep/other")
        // Once with the file missing, once with it there; relative to the link, through a second link.
        unsafe symlink(target, directory.file("second"))
        unsafe symlink(directory.file("second"), directory.file("first"))
        for content in ["one", "two"] {
            try write("first", content)
            #expect(directory.content(target) == content)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file("first"))
        #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
    }

    @Test func whatCannotBeWrittenIsExplained() throws {
        try directory.create("file")
        try directory.create("folder/file")
        unsafe symlink("loop", directory.file("loop"))
        let before = directory.names
        for (name, problem) in [
            ("folder", "it is a directory; name a file"),
            ("missing/", "it is a directory; name a file"),
            ("missing/file", "its directory does not exist; create it first"),
            ("file/child", "what stands before its last slash is not a directory"),
            ("loop", "Too many levels of symbolic links"),
        ] {
            let path = directory.file(name)
            #expect(throws: CommandError(.inputOutput, "\(path.shortenedAndQuoted) cannot be written: \(problem)")) { try write(name) }
            #expect(directory.names == before)
        }
        #expect(throws: CommandError(.inputOutput, "the name of the file to write is empty")) {
            try AtomicFile.write(to: "") { _ in }
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write anywhere")) func permissionIsAskedForBeforeAnythingIsReplaced() throws {
        try directory.create("a", "old")
        unsafe chmod(directory.file("a"), 0o444)
        let error = #expect(throws: CommandError.self) { try write("a") }
        #expect(error?.sentence?.hasSuffix("permission denied; choose a place that may be written") == true)
        #expect(directory.content("a") == "old")
    }

    @Test func aDeviceIsWrittenDirectly() throws {
        try AtomicFile.write(to: "/dev/null") { try $0.write("away") }
        var status = stat()
        #expect(unsafe stat("/dev/null", &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFCHR)
        if FileManager.default.fileExists(atPath: "/dev/full") {
            let error = #expect(throws: CommandError.self) { try AtomicFile.write(to: "/dev/full") { try $0.write("too much") } }
            #expect(error == CommandError(.inputOutput, "writing \"/dev/full\" failed: No space left on device"))
        }
    }

    @Test func aPipeIsWrittenDirectly() async throws {
        let path = directory.file("pipe")
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let reader = Background {
            let descriptor = unsafe open(path, O_RDONLY)
            defer { close(descriptor) }
            var buffer = [UInt8](repeating: 0, count: 16)
            let count = unsafe read(descriptor, &buffer, buffer.count)
            return Array(buffer.prefix(max(0, count)))
        }
        try write("pipe")
        #expect(await reader.value == Array("new".utf8))
        #expect(directory.names == ["pipe"])
    }

    @Test func aDescriptorByNameIsWrittenDirectly() throws {
        try directory.create("a", "old ")
        let descriptor = unsafe open(directory.file("a"), O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        try AtomicFile.write(to: "/dev/fd/\(descriptor)") { try $0.write("new") }
        #expect(directory.content("a") == "old new")
        #expect(throws: CommandError.self) { try AtomicFile.write(to: "/dev/fd/9999") { try $0.write("new") } }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalLeavesNothingBehind(_ number: Int32) async throws {
        let path = directory.file("a")
        await #expect(processExitsWith: .signal(number)) { [path = path as String, number = number as Int32] in
            try AtomicFile.write(to: path) { outer in
                try AtomicFile.write(to: path + "2") { try $0.write("done") }
                try AtomicFile.write(to: path + "3") { inner in
                    try inner.write("half")
                    try inner.flush()
                    // To the process, as a terminal sends it: the thread of this closure may hold signals back.
                    kill(getpid(), number)
                    sleep(600)
                }
            }
        }
        #expect(directory.names == ["a2"])
    }
}

extension String {
    /// As messages show it.
    var shortenedAndQuoted: String { "\"" + (count <= 60 ? self : prefix(60) + "…") + "\"" }
}
