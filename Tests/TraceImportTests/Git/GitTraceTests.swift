import AuditAnalysis
import AuditLog
import Foundation
import GitRepository
import SyncBytes
import SyncLines
import SyncModel
import SyncOracle
import TemporaryDirectory
import Testing
import TraceImport

/// What is imported from git is causally exact, and ends where HEAD is.
@Suite struct GitTraceTests {
    /// A history with merges, an octopus, a revert, a rename, a delete against an edit, two roots and names that want to do harm.
    private func madeRepository() throws -> GitRepository {
        let repository = try GitRepository()
        var stream = CommitStream()
        let hostile = "E\u{1b}[31mve \"q\\\u{1}x"
        let root = stream.commit(
            "Ada", at: 1000, on: [],
            put: [
                "f": "1", "sp ace": "x", "new\nline": "n", "--": "d", ":(top)x": "p", "é\u{7}": "e",
                "cards.json": #"{"ada":{"visits":1,"tags":["x"]},"bob":{"visits":5},"n":3}"#,
                "conf.plist":
                    "<?xml version=\"1.0\"?><!DOCTYPE plist PUBLIC \"-//Apple\" \"http://x\"><plist><dict><key>A&amp;B</key><dict><key>on</key><true/>"
                    + "<key>n</key><integer>7</integer></dict><key>s</key><string>t</string></dict></plist>",
            ])
        let side = stream.commit(
            hostile, at: 1010, on: [root],
            put: ["f": "2", "cards.json": #"{"ada":{"visits":2,"tags":["x","y"]},"bob":{"visits":5},"n":3}"#])
        // By the clock before the root.
        let third = stream.commit("Ada", at: 980, on: [root], put: ["f": "3", "g": "g"], delete: ["sp ace"])
        let fourth = stream.commit("Bob", at: 1020, on: [root], put: ["h": "h"])
        let main = stream.commit(
            "Ada", at: 1030, on: [root], put: ["cards.json": #"{"ada":{"visits":2,"tags":["x"]},"n":3}"#, "sp ace": "y"])
        let merge = stream.commit(
            "Ada", at: 1040, on: [main, side], put: ["f": "2", "cards.json": #"{"ada":{"visits":3,"tags":["x","y"]},"n":4}"#])
        let (one, two) = (
            stream.commit("Bob", at: 1050, on: [merge], put: ["o1": "1"]), stream.commit("Eve", at: 1060, on: [merge], put: ["o2": "1"])
        )
        let octopus = stream.commit("Ada", at: 1070, on: [merge, one, two, fourth], put: ["o1": "1", "o2": "1", "h": "h"])
        // Both sides changed f, and one of them deleted what the other edited; the merge keeps one side of each.
        let settled = stream.commit("Bob", at: 1080, on: [octopus, third], put: ["g": "g"], delete: ["sp ace"])
        let renamed = stream.commit("Bob", at: 1090, on: [settled], put: ["renamed": "g"], delete: ["g"])
        let nine = stream.commit("Ada", at: 1100, on: [renamed], put: ["f": "9"])
        let reverted = stream.commit("Ada", at: 1110, on: [nine], put: ["f": "2"])
        let broken = stream.commit("Ada", at: 1120, on: [reverted], put: ["cards.json": "{broken"])
        let mended = stream.commit("Ada", at: 1130, on: [broken], put: ["cards.json": #"{"ada":{"visits":4,"tags":["x","y"]},"n":4}"#])
        let other = stream.commit("Zoe", at: 1140, on: [], put: ["r2": "1"], branch: "other")
        let joined = stream.commit("Zoe", at: 1150, on: [mended, other], put: ["r2": "1"])
        _ = stream.commit("", at: 1160, on: [joined], put: ["f": "2"], executable: ["f"])
        try repository.fastImport(stream.text)
        return repository
    }

    /// A repository's trace, read to its end, and its writes.
    private func imported(_ repository: GitRepository, filters: [String] = []) throws -> (trace: GitTrace, writes: [TaggedWrite]) {
        var trace = try GitTrace(repository.path, filters: filters)
        var writes: [TaggedWrite] = []
        try trace.forEach { writes.append($0) }
        #expect(trace.writes == writes.count)
        return (trace, writes)
    }

    /// The merged records after an audit of the lines of some writes, as field values by type and identity.
    private func state(_ writes: [TaggedWrite]) throws -> [RecordType: [RecordID: FieldMap]] {
        let directory = try TemporaryDirectory()
        try directory.create("trace", writes.map { String(decoding: WriteLine.bare($0), as: UTF8.self) + "\n" }.joined())
        var audit = TraceAudit()
        try audit.audit(path: directory.file("trace")) { _ in }
        return audit.records().reduce(into: [:]) { $0[$1.key.type, default: [:]][$1.key.id] = $1.fields }
    }

    private func expectFiles(_ state: [RecordID: FieldMap], areThoseOf repository: GitRepository) throws {
        let head = try repository.head().filter { !$0.key.hasSuffix(".json") && !$0.key.hasSuffix(".plist") }
        #expect(Set(head.keys.map { RecordID($0) }) == Set(state.keys))
        for (path, file) in head {
            #expect(state[RecordID(path)] == ["content": .string(file.blob), "mode": .string(file.mode)], "\(path)")
        }
    }

    @Test func writesAreConcurrentWhereTheirCommitsAre() throws {
        let repository = try madeRepository()
        let (_, writes) = try imported(repository)
        var commits: [Int64: String] = [:]
        for line in try repository.run(["log", "--format=%H %at"]).split(separator: "\n") {
            let words = line.split(separator: " ")
            let date = (Int64(words[1]) ?? 0) * 1000
            #expect(commits.updateValue(String(words[0]), forKey: date) == nil, "every commit has a date of its own")
        }
        #expect(commits.count == 18)
        var ancestry: [[String]: Bool] = [:]
        func isAncestor(_ one: String, _ other: String) -> Bool {
            if let known = ancestry[[one, other]] { return known }
            let answer = repository.isAncestor(one, of: other)
            ancestry[[one, other]] = answer
            return answer
        }
        var concurrent = 0
        for one in writes {
            for other in writes where other.key == one.key {
                let mine = try #require(commits[one.timestamp.milliseconds])
                let theirs = try #require(commits[other.timestamp.milliseconds])
                guard mine != theirs else { continue }
                let seen = try #require(one.seen).covers(other.dot)
                #expect(seen == isAncestor(theirs, mine), "\(other) \(one)")
                if !isAncestor(theirs, mine), !isAncestor(mine, theirs) { concurrent += 1 }
            }
        }
        #expect(concurrent == 6)
    }

    @Test func theEndIsWhatHeadHolds() throws {
        let repository = try madeRepository()
        let (trace, writes) = try imported(repository)
        #expect((trace.commits, trace.authors, trace.laneCount, trace.recordCount) == (18, 6, 8, 17))
        #expect(trace.unreadable == 1)
        let state = try state(writes)
        try expectFiles(state["File"] ?? [:], areThoseOf: repository)
        #expect(state["cards.json"] == ["ada": ["visits": 4, "tags": ["x", "y"]], "n": ["value": 4]])
        #expect(state["conf.plist"] == ["A&B": ["on": true, "n": 7], "s": ["value": "t"]])
        let devices = Set(writes.map(\.dot.device))
        #expect(devices == ["Ada", "Ada#2", "Bob", "Bob#2", "Eve", "E\u{1b}[31mve \"q\\\u{1}x", "Zoe", "unknown"])
    }

    @Test func onlyFilesThatTheFilterMatches() throws {
        let repository = try madeRepository()
        let state = try state(try imported(repository, filters: ["*.json", "f"]).writes)
        #expect(Set(state.keys) == ["File", "cards.json"])
        #expect(state["File"].map { Set($0.keys) } == ["f"])
        #expect(state["cards.json"] == ["ada": ["visits": 4, "tags": ["x", "y"]], "n": ["value": 4]])
        #expect(try imported(repository, filters: ["--output=/tmp/x"]).writes.isEmpty)
    }

    @Test(arguments: 1...UInt64(histories(1, of: 12))) func randomHistoriesAreImportedExactly(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stream = CommitStream()
        var commits: [(parents: [Int], ancestors: Set<Int>)] = []
        for mark in 1...30 {
            var parents: Set<Int> = []
            if mark > 1, !random.percent(5) {
                for _ in 0...random.below(random.percent(30) ? 3 : 1) { parents.insert(max(1, mark - 1 - random.below(6))) }
            }
            // The last merges everything that is left.
            let all = Set(1..<mark)
            let tips = all.subtracting(commits.flatMap(\.parents))
            let chosen = mark == 30 ? tips.sorted() : random.shuffled(parents.sorted())
            let entries = (0..<random.below(3)).map { _ in
                "\"\(["a", "b", "c"][random.below(3)])\":{\"x\":\(random.below(4)),\"y\":[\(random.below(3))]}"
            }
            // The same name twice is no JSON that is read, so that now and then a version is unreadable.
            var files = ["f\(random.below(3))": "\(random.below(4))"]
            if random.percent(50) { files["data.json"] = "{\(entries.joined(separator: ","))}" }
            let deleted = random.percent(15) ? ["f\(random.below(3))"].filter { files[$0] == nil } : []
            _ = stream.commit(
                ["Ada", "Bob", "Eve"][random.below(3)], at: 1000 + mark + random.below(2) * 500, on: chosen, put: files, delete: deleted,
                branch: "b\(mark)")
            commits.append((chosen, chosen.reduce(into: Set(chosen)) { $0.formUnion(commits[$1 - 1].ancestors) }))
        }
        let repository = try GitRepository()
        try repository.fastImport(stream.text)
        try repository.run(["symbolic-ref", "HEAD", "refs/heads/b30"])
        let (_, writes) = try imported(repository)
        var marks: [Int64: Int] = [:]
        for line in try repository.run(["log", "--format=%at %ct"]).split(separator: "\n") {
            let seconds = Int64(line.split(separator: " ")[0]) ?? 0
            marks[seconds * 1000] = Int((seconds - 1000) % 500)
        }
        #expect(marks.count == commits[29].ancestors.count + 1)
        for one in writes {
            for other in writes where other.key == one.key {
                let mine = try #require(marks[one.timestamp.milliseconds])
                let theirs = try #require(marks[other.timestamp.milliseconds])
                guard mine != theirs else { continue }
                let seen = try #require(one.seen).covers(other.dot)
                #expect(seen == commits[mine - 1].ancestors.contains(theirs), "seed \(seed): \(other) \(one)")
            }
        }
        let state = try state(writes)
        var files = state["File"] ?? [:]
        files["data.json"] = nil
        try expectFiles(files, areThoseOf: repository)
        // What an entry holds at HEAD, it holds in the end.
        let text = (try? repository.run(["show", "HEAD:data.json"])) ?? "{}"
        guard let data = try? JSONParser.parse(text).object else { return }
        #expect(Set(data.names.map { RecordID($0.rawValue) }) == Set((state["data.json"] ?? [:]).keys), "seed \(seed)")
        for entry in data { #expect(state["data.json"]?[RecordID(entry.name.rawValue)] == entry.value.object, "seed \(seed)") }
    }

    @Test func repositoriesThatCannotBeImported() throws {
        func expectError(_ code: TraceImportError.Code, _ problem: String, of path: String) {
            #expect(throws: TraceImportError(code, "\(path.quoted): \(problem)")) { _ = try GitTrace(path) }
        }
        let directory = try TemporaryDirectory()
        expectError(.noInput, "this is not a git repository, nor is it inside one; name a clone", of: directory.path)
        for path in [directory.file("missing"), "--upload-pack=touch x"] {
            expectError(.noInput, "git cannot read it: cannot change to '\(path)': No such file or directory", of: path)
        }
        let (empty, whole) = (try GitRepository(), try madeRepository())
        expectError(.badData, "the repository has no commit yet", of: empty.path)
        expectError(
            .badData,
            "the clone is shallow: what came before its oldest commits is missing, so nobody can tell what their authors had seen; "
                + "fetch the rest with 'git fetch --unshallow'", of: try whole.shallowClone())
        withExtendedLifetime((empty, whole)) {}
    }
}
