import Foundation
import GitRepository
import SyncLines
import SyncModel
import SyncOracle
import Testing

@testable import SyncAuditCommands

@Suite("What is imported from git is causally exact, and ends where HEAD is") struct ImportGitTests {
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

    private func imported(_ repository: GitRepository, _ options: String...) throws -> (world: TestWorld, lines: [FieldMap]) {
        let world = TestWorld()
        #expect(world.run(["import", "git", repository.path] + options) == .success)
        return (world, try world.lines)
    }

    /// The merged records after an audit of the imported lines, as field values by type and identity.
    private func state(_ world: TestWorld) throws -> [String: [String: FieldMap]] {
        let directory = try TemporaryDirectory()
        let audit = TestWorld()
        try audit.pipe(world.output.text)
        #expect(audit.run("audit", "--state", directory.file("state"), "-") == .success)
        var state: [String: [String: FieldMap]] = [:]
        for line in (directory.content("state") ?? "").split(separator: "\n") {
            let record = try #require(try JSONParser.parse(String(line)).object)
            state[record["recordType"]?.string ?? "", default: [:]][record["recordID"]?.string ?? ""] = record["fields"]?.object
        }
        return state
    }

    private func expectFiles(_ state: [String: FieldMap], areThoseOf repository: GitRepository) throws {
        let head = try repository.head().filter { !$0.key.hasSuffix(".json") && !$0.key.hasSuffix(".plist") }
        #expect(Set(head.keys) == Set(state.keys))
        for (path, file) in head { #expect(state[path] == ["content": .string(file.blob), "mode": .string(file.mode)], "\(path)") }
    }

    @Test func writesAreConcurrentWhereTheirCommitsAre() throws {
        let repository = try madeRepository()
        let (_, lines) = try imported(repository)
        var commits: [String: String] = [:]
        for line in try repository.run(["log", "--format=%H %at"]).split(separator: "\n") {
            let words = line.split(separator: " ")
            let date = RFC3339.string(milliseconds: (Int64(words[1]) ?? 0) * 1000)
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
        for one in lines {
            for other in lines where other["recordID"] == one["recordID"] && other["recordType"] == one["recordType"] {
                let (mine, theirs) = (commits[one["ts"]?.string ?? ""] ?? "", commits[other["ts"]?.string ?? ""] ?? "")
                guard mine != theirs, let device = other["device"]?.string else { continue }
                let seen = (one["seen"]?.object?[FieldName(device)]?.integer ?? 0) >= (other["n"]?.integer ?? .max)
                #expect(seen == isAncestor(theirs, mine), "\(other) \(one)")
                if !isAncestor(theirs, mine), !isAncestor(mine, theirs) { concurrent += 1 }
            }
        }
        #expect(concurrent == 6)
    }

    @Test func theEndIsWhatHeadHolds() throws {
        let repository = try madeRepository()
        let (world, lines) = try imported(repository)
        #expect(
            world.errorText == """
                syncaudit: 18 commits by 6 authors in 8 lanes: \(lines.count) writes to 17 records
                syncaudit: 1 version of data files could not be read; their records stayed as they were before

                """)
        let state = try state(world)
        try expectFiles(state["File"] ?? [:], areThoseOf: repository)
        #expect(state["cards.json"] == ["ada": ["visits": 4, "tags": ["x", "y"]], "n": ["value": 4]])
        #expect(state["conf.plist"] == ["A&B": ["on": true, "n": 7], "s": ["value": "t"]])
        let devices = Set(lines.compactMap { $0["device"]?.string })
        #expect(devices == ["Ada", "Ada#2", "Bob", "Bob#2", "Eve", "E\u{1b}[31mve \"q\\\u{1}x", "Zoe", "unknown"])
    }

    @Test func onlyFilesThatTheFilterMatches() throws {
        let repository = try madeRepository()
        let (world, _) = try imported(repository, "--path-filter", "*.json", "--path-filter", "f")
        let state = try state(world)
        #expect(Set(state.keys) == ["File", "cards.json"])
        #expect(state["File"]?.keys.sorted() == ["f"])
        #expect(state["cards.json"] == ["ada": ["visits": 4, "tags": ["x", "y"]], "n": ["value": 4]])
        #expect(try imported(repository, "--path-filter=--output=/tmp/x").world.errorText.contains("no file matches"))
    }

    @Test("histories at random", arguments: 1...12 as ClosedRange<UInt64>) func randomHistories(seed: UInt64) throws {
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
        let (world, lines) = try imported(repository)
        var marks: [Int64: Int] = [:]
        for line in try repository.run(["log", "--format=%at %ct"]).split(separator: "\n") {
            let seconds = Int64(line.split(separator: " ")[0]) ?? 0
            marks[seconds * 1000] = Int((seconds - 1000) % 500)
        }
        #expect(marks.count == commits[29].ancestors.count + 1)
        for one in lines {
            for other in lines where other["recordID"] == one["recordID"] && other["recordType"] == one["recordType"] {
                let mine = try #require(marks[RFC3339.milliseconds(one["ts"]?.string ?? "") ?? 0])
                let theirs = try #require(marks[RFC3339.milliseconds(other["ts"]?.string ?? "") ?? 0])
                guard mine != theirs, let device = other["device"]?.string else { continue }
                let seen = (one["seen"]?.object?[FieldName(device)]?.integer ?? 0) >= (other["n"]?.integer ?? .max)
                #expect(seen == commits[mine - 1].ancestors.contains(theirs), "seed \(seed): \(other) \(one)")
            }
        }
        let state = try state(world)
        var files = state["File"] ?? [:]
        files["data.json"] = nil
        try expectFiles(files, areThoseOf: repository)
        // What an entry holds at HEAD, it holds in the end.
        let text = (try? repository.run(["show", "HEAD:data.json"])) ?? "{}"
        guard let data = try? JSONParser.parse(text).object else { return }
        #expect(Set(data.names.map(\.rawValue)) == Set((state["data.json"] ?? [:]).keys), "seed \(seed)")
        for entry in data { #expect(state["data.json"]?[entry.name.rawValue] == entry.value.object, "seed \(seed)") }
    }

    @Test func whatCannotBeImported() throws {
        let directory = try TemporaryDirectory()
        let cases: [([String], ExitCode, String)] = [
            ([], .usage, "what to import is missing"), (["svn"], .usage, "\"svn\" cannot be imported"),
            (["git", ".", "x"], .usage, "\"x\" is one argument too many"), (["git", ""], .usage, "is empty"),
            (["git", directory.path], .noInput, "this is not a git repository"),
            (["git", directory.file("missing")], .noInput, "No such file or directory"),
            (["git", "--", "--upload-pack=touch x"], .noInput, "No such file or directory"),
        ]
        for (arguments, code, complaint) in cases {
            let world = TestWorld()
            #expect(world.run(["import"] + arguments) == code)
            #expect(world.errorText.contains(complaint), "\(arguments)")
            #expect(world.output.text == "")
        }
        let repository = try GitRepository()
        let empty = TestWorld()
        #expect(empty.run("import", "git", repository.path) == .badData)
        #expect(empty.errorText.contains("has no commit yet"))
        let shallow = TestWorld()
        let whole = try madeRepository()
        #expect(shallow.run("import", "git", try whole.shallowClone()) == .badData)
        #expect(shallow.errorText.contains("the clone is shallow: what came before its oldest commits is missing"))
        #expect(shallow.errorText.contains("git fetch --unshallow"))
    }
}
