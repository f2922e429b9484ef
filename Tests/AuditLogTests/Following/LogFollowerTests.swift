import ConflictAudit
import Foundation
import SyncBytes
import Testing

@testable import AuditLog

/// One step after the other, so that it is known what has happened between two looks.
@Suite struct LogFollowerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func follower(_ names: String..., maximum: Int = 1000) -> LogFollower {
        LogFollower(paths: (names.isEmpty ? ["log"] : names).map(folder.file), maximumLineLength: maximum)
    }

    /// Steps until there is nothing more to read, as a caller does.
    private func lines(_ follower: inout LogFollower) -> [String] { texts(events(&follower)) }

    private func events(_ follower: inout LogFollower) -> [LogFollower.Event] {
        var events: [LogFollower.Event] = []
        repeat { events += follower.step() } while follower.isBehind
        return events
    }

    private func texts(_ events: [LogFollower.Event]) -> [String] {
        events.compactMap { if case .line(let line) = $0 { String(decoding: line.bytes, as: UTF8.self) } else { nil } }
    }

    private func notices(_ events: [LogFollower.Event]) -> [LogFollower.Notice.Kind] {
        events.compactMap { if case .notice(let notice) = $0 { notice.kind } else { nil } }
    }

    /// A writer that did not append went on at its old place after its file was emptied, and did not end its line.
    @Test func aHoleBeforeTheLastLineIsNoPartOfIt() throws {
        try folder.write("one\n\0\0\0\0\0\0two", to: "a")
        var follower = LogFollower(paths: [folder.file("a")])
        let events = follower.step() + follower.finish()
        let lines = events.compactMap { if case .line(let line) = $0 { String(decoding: line.bytes, as: UTF8.self) } else { nil } }
        #expect(lines == ["one", "two"])
    }

    @Test func wholeLinesOnly() throws {
        try folder.write("one\ntw", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one"])
        #expect(lines(&follower) == [])
        try folder.append("o\nthree\n", to: "log")
        #expect(lines(&follower) == ["two", "three"])
        try folder.append("four", to: "log")
        #expect(lines(&follower) == [])
        let rest = follower.finish()
        #expect(texts(rest) == ["four"])
    }

    @Test func aFirstLineThatIsNeverEndedIsGivenAtTheEnd() throws {
        try folder.write("one", to: "log")
        var follower = follower()
        #expect(lines(&follower) == [])
        let rest = follower.finish()
        #expect(texts(rest) == ["one"])
    }

    @Test func linesWrittenLateToARenamedFileAreNotLost() throws {
        try folder.write("one\n", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one"])
        try folder.move("log", to: "log.1")
        try folder.append("two\n", to: "log.1")
        var events = events(&follower)
        #expect(texts(events) == ["two"])
        #expect(notices(events) == [.gone])
        try folder.append("three\n", to: "log.1")
        try folder.write("four\n", to: "log")
        events = self.events(&follower)
        #expect(texts(events) == ["three", "four"])
        #expect(notices(events) == [.replaced])
        try folder.append("five\n", to: "log.1")
        #expect(lines(&follower) == ["five"])
        // Under any name: it is the file that is followed.
        try folder.move("log.1", to: "elsewhere")
        try folder.append("six\n", to: "elsewhere")
        try folder.append("seven\n", to: "log")
        #expect(lines(&follower) == ["six", "seven"])
    }

    @Test func filesBetweenTwoLooksAreFoundBesideTheLog() throws {
        try folder.write("old\n", to: "log.1")
        try folder.write("one\n", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one"])
        for (index, text) in ["two", "three", "four"].enumerated() {
            try folder.append("last of \(index)\n", to: "log")
            try folder.move("log", to: "log.\(index + 2)")
            try folder.write("\(text)\n", to: "log")
        }
        #expect(lines(&follower) == ["last of 0", "two", "last of 1", "three", "last of 2", "four"])
    }

    @Test func whatLiesBesideTheLogAndIsNoPartOfItStaysUnread() throws {
        try folder.write("older\n", to: "log.1")
        try folder.write("one\n", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one"])
        try folder.write("derived\n", to: "log.filtered")
        try folder.copy("log", to: "log.7")
        // An old file that is unpacked keeps its time.
        try folder.write("unpacked\n", to: "log.8")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: folder.file("log.8"))
        try folder.append("two\n", to: "log")
        #expect(lines(&follower) == ["two"])
        try folder.move("log", to: "log.2")
        try folder.write("three\n", to: "log")
        #expect(lines(&follower) == ["three"])
    }

    @Test func aCopyHoldsWhatWasNotReadBeforeTheFileWasEmptied() throws {
        try folder.write("one\n", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one"])
        for index in 1...3 {
            try folder.append("not read \(index)\n", to: "log")
            try folder.copy("log", to: "log.\(index)")
            try folder.truncate("log")
            try folder.append("first \(index)\n", to: "log")
        }
        let events = events(&follower)
        #expect(texts(events) == ["not read 1", "first 1", "not read 2", "first 2", "not read 3", "first 3"])
        #expect(notices(events) == [.rewritten])
    }

    @Test(arguments: ["", "new\n", "longer than before\nand more\n", "ONE\ntwo\n", "one\nTWO\n"]) func contentTellsNotSize(text: String)
        throws
    {
        try folder.write("one\ntwo\n", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one", "two"])
        try folder.truncate("log")
        try folder.append(text, to: "log")
        let events = events(&follower)
        #expect(texts(events) == text.split(separator: "\n").map(String.init))
        #expect(notices(events) == [.rewritten])
        try folder.append("next\n", to: "log")
        #expect(lines(&follower) == ["next"])
    }

    @Test func aLineThatItsWriterTakesBackIsNoReasonToStartAgain() throws {
        try folder.write("one\ntwo\nbegun", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one", "two"])
        try folder.truncate("log", to: 8)
        #expect(lines(&follower) == [])
        try folder.append("three\n", to: "log")
        #expect(lines(&follower) == ["three"])
    }

    @Test func theSameContentInAnotherFileIsNotReadAgain() throws {
        try folder.write("one\ntwo\n", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one", "two"])
        try folder.write("one\ntwo\nthree\n", to: "new")
        try folder.remove("log")
        try folder.move("new", to: "log")
        #expect(lines(&follower) == ["three"])
        // Shorter, but nothing new.
        try folder.write("one\n", to: "new")
        try folder.remove("log")
        try folder.move("new", to: "log")
        #expect(lines(&follower) == [])
        try folder.append("four\n", to: "log")
        #expect(lines(&follower) == ["four"])
    }

    @Test func deletedFilesAreReadToTheirEndAndLateOnesWaitedFor() throws {
        var follower = follower()
        #expect(notices(events(&follower)) == [.missing])
        #expect(events(&follower) == [])
        try folder.write("one\n", to: "log")
        let first = events(&follower)
        #expect(texts(first) == ["one"])
        #expect(notices(first) == [.appeared])
        try folder.append("two\n", to: "log")
        try folder.remove("log")
        let second = events(&follower)
        #expect(texts(second) == ["two"])
        #expect(notices(second) == [.gone])
        try folder.write("three\n", to: "log")
        #expect(lines(&follower) == ["three"])
    }

    @Test func directoriesMayComeLateToo() throws {
        var follower = follower("a/b/log")
        #expect(lines(&follower) == [])
        try FileManager.default.createDirectory(atPath: folder.file("a/b"), withIntermediateDirectories: true)
        try folder.write("one\n", to: "a/b/log")
        #expect(lines(&follower) == ["one"])
        try FileManager.default.removeItem(atPath: folder.file("a"))
        #expect(lines(&follower) == [])
        try FileManager.default.createDirectory(atPath: folder.file("a/b"), withIntermediateDirectories: true)
        try folder.write("two\n", to: "a/b/log")
        #expect(lines(&follower) == ["two"])
    }

    @Test func followedFilesThatAreRenamedToEachOtherAreReadOnce() throws {
        try folder.write("older\n", to: "log.1")
        try folder.write("newer\n", to: "log")
        var follower = follower("log.1", "log")
        #expect(lines(&follower) == ["older", "newer"])
        for index in 1...5 {
            try folder.append("late \(index)\n", to: "log")
            try folder.move("log", to: "log.1.new")
            try folder.remove("log.1")
            try folder.move("log.1.new", to: "log.1")
            try folder.write("first \(index)\n", to: "log")
            #expect(lines(&follower).sorted() == ["first \(index)", "late \(index)"])
        }
    }

    @Test func aFollowedCopyIsNotReadWhileItIsMade() throws {
        try folder.write("one\ntwo\nthree\n", to: "log")
        var follower = follower("log.1", "log")
        #expect(lines(&follower) == ["one", "two", "three"])
        try folder.write("", to: "log.1")
        for part in ["one\n", "tw", "o\nth", "ree\n"] {
            try folder.append(part, to: "log.1")
            #expect(lines(&follower) == [])
        }
        try folder.truncate("log")
        try folder.append("four\n", to: "log")
        #expect(lines(&follower) == ["four"])
    }

    @Test func obstaclesAreToldOnceAndWaitedOut() throws {
        try FileManager.default.createDirectory(atPath: folder.file("log"), withIntermediateDirectories: true)
        var follower = follower()
        #expect(notices(events(&follower)) == [.unreadable("this is a directory, not a file of JSON lines")])
        #expect(events(&follower) == [])
        try folder.remove("log")
        try folder.write("one\n", to: "log")
        #expect(lines(&follower) == ["one"])
    }

    @Test func linesThatAreTooLongArePassedOver() throws {
        try folder.write("one\n" + String(repeating: "x", count: 1001) + "\ntwo\n" + String(repeating: "x", count: 5000), to: "log")
        var follower = follower()
        let first = events(&follower)
        #expect(texts(first) == ["one", "two"])
        #expect(notices(first) == [.lineTooLong(limit: 1000), .lineTooLong(limit: 1000)])
        try folder.append("\nthree\n", to: "log")
        #expect(lines(&follower) == ["three"])
    }

    @Test func muchIsReadInSeveralSteps() throws {
        let text = (0..<20_000).map { "line \($0) of very many lines\n" }.joined()
        try folder.write(text, to: "log")
        var follower = follower()
        let first = texts(follower.step())
        #expect(!first.isEmpty && first.count < 20_000)
        let isBehind = follower.isBehind
        #expect(isBehind)
        let all = first + lines(&follower)
        #expect((all == text.split(separator: "\n").map(String.init)) == true)
    }

    @Test func theEndIsWhereTheLastWholeLineEnds() throws {
        try folder.write("one\ntwo\nthr", to: "log")
        try folder.write("only", to: "begun")
        var follower = follower("log", "begun", "missing")
        var seen: [String] = []
        try follower.skipToEnd { path, lines in
            while case .bytes(let bytes, _)? = try lines.next() { seen.append(String(decoding: bytes, as: UTF8.self)) }
            return true
        }
        #expect(seen == ["two", "one"])
        #expect(lines(&follower) == [])
        try folder.append("ee\n", to: "log")
        try folder.append(" line\n", to: "begun")
        try folder.write("new\n", to: "missing")
        #expect(lines(&follower) == ["three", "only line", "new"])
    }

    @Test func waitingEndsWhenSomethingIsWritten() throws {
        try folder.write("one\n", to: "log")
        var follower = follower()
        #expect(lines(&follower) == ["one"])
        let path = folder.file("log")
        Thread.detachNewThread {
            let handle = FileHandle(forWritingAtPath: path)
            _ = try? handle?.seekToEnd()
            try? handle?.write(contentsOf: Data("two\n".utf8))
        }
        var seen: [String] = []
        for _ in 0..<60 where seen.isEmpty {
            follower.wait()
            seen += lines(&follower)
        }
        #expect(seen == ["two"])
    }

    @Test func noticesAreHarmless() {
        let notice = LogFollower.Notice(path: "a\u{1b}[31m", kind: .unreadable("b\u{7}"))
        #expect(notice.description == #"a\u{1b}[31m: b\u{7}"#)
    }

    /// What our own writer writes while it rotates every few lines.
    @Test func ourOwnWriterIsFollowedThroughItsRotations() throws {
        let log = try LogDirectory()
        let clock = ManualClock()
        var follower = LogFollower(paths: [log.current])
        var numbers: [UInt64] = []
        var decoder = LineDecoder()
        func look(_ follower: inout LogFollower) throws {
            for line in lines(&follower) {
                guard case .line(let line) = try decoder.decode(Array(line.utf8).span) else { continue }
                numbers += [line.sequence ?? 0]
            }
        }
        let writer = try log.writer(clock: clock) { $0.rotation = RotationPolicy(maximumBytes: 600) }
        for index in 0..<400 {
            writer.record(.init(at: clock.now, .account(status: "status \(index)")))
            clock.advance(7)
            if index % 5 == 0 { _ = writer.flush() }
            if index % 30 == 0 { try look(&follower) }
        }
        writer.close()
        try look(&follower)
        #expect(writer.statistics.rotations > 50)
        #expect(numbers.sorted() == (1...UInt64(numbers.count)).map { $0 } && numbers.count >= 400)
    }
}
