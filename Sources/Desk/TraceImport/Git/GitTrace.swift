package import SyncModel

/// Turns a repository's commits into the writes of devices, with what each had seen.
///
/// An author is a device, and where an author's commits do not follow one another in the commit graph, several ``WriterLanes``. A write has
/// seen another where its commit is a descendant of the other's.
///
/// A commit writes what differs from all of its parents. A merge besides writes what it resolved: where the writes that meet in it leave
/// open which of them stands, or it went back on one, it names the value that it left in place. So the merged trace ends in the files of
/// the last commit.
///
/// - Complexity: memory grows with the commits (a name and a count for each), the records and their fields, and with the tips of the graph
///   that are yet to be merged, each of which keeps a number for every lane.
package struct GitTrace {
    private let history: GitHistory
    private let blobs: GitBlobs
    private let differences: GitDifferences
    private var children: [String: Int]
    /// For each commit that has children to come, how many writes of each lane it has seen.
    private var vectors: [String: [UInt64]] = [:]
    private var lanes: [DeviceID] = []
    /// Writes of each lane.
    private var counts: [UInt64] = []
    private var lanesOfAuthor: [DeviceID: [Int]] = [:]
    private var names = WriterLanes()
    private var records: [RecordKey: Record] = [:]
    /// Contents that cannot be read, and what was there before.
    private var standIns: [String: StructuredFile] = [:]

    /// How many commits were read.
    package private(set) var commits = 0
    /// How many writes they are.
    package private(set) var writes = 0
    /// How many versions of data files could not be read.
    package private(set) var unreadable = 0
    /// How many authors the commits have.
    package var authors: Int { names.devices }
    /// How many lanes their commits take.
    package var laneCount: Int { lanes.count }
    /// How many records are written to.
    package var recordCount: Int { records.count }

    /// What is known of a record.
    private struct Record {
        /// Who wrote it.
        var lanes: [Int] = []
        var registers: [FieldName: [Mark]] = [:]
    }

    /// A maximal write to a register.
    private struct Mark {
        let lane: Int
        let number: UInt64
        let value: FieldValue?
    }

    /// A record before and after a commit; nil where it is absent.
    private struct Change {
        let key: RecordKey
        /// As each parent has it.
        let before: [FieldMap?]
        let after: FieldMap?
    }

    private static let file: RecordType = "File"
    private static let content: FieldName = "content"
    private static let mode: FieldName = "mode"

    /// Finds a repository.
    ///
    /// - Parameters:
    ///   - path: The repository, or a directory inside it. `SIGPIPE` must be ignored, or the process ends where git ends early.
    ///   - filters: Patterns of git's for the files that count; where there is none, all do.
    /// - Throws: ``TraceImportError`` where there is none, it has no commit, or it does not have all of its history.
    package init(_ path: String, filters: [String] = []) throws(TraceImportError) {
        history = try GitHistory(path, filters: filters)
        blobs = GitBlobs(repository: history.repository)
        differences = GitDifferences(history)
        children = try history.childCounts()
    }

    /// Reads the history.
    ///
    /// - Parameter body: Takes each write, after those that it has seen.
    /// - Throws: ``TraceImportError`` where git fails underway, and what `body` throws.
    /// - Precondition: The history has not been read before.
    package mutating func forEach(_ body: (TaggedWrite) throws -> Void) throws {
        precondition(commits == 0, "a history is read once")
        try history.forEach { try append($0, body) }
    }

    /// Takes a commit, after its parents.
    ///
    /// - Parameter emit: Takes the writes.
    private mutating func append(_ commit: GitHistory.Commit, _ emit: (TaggedWrite) throws -> Void) throws {
        commits += 1
        let isMerge = commit.parents.count > 1
        var changes: [Change] = []
        for change in isMerge ? try differences.changes(of: commit) : commit.changes { try append(change, in: &changes) }
        var vector = popVector(of: commit)
        let lane = lane(of: commit.author, seen: &vector)
        let seen = vector
        for change in changes {
            guard let operation = operation(change, isMerge: isMerge, seen: seen) else { continue }
            try emit(write(operation, to: change.key, commit, lane, seen: seen))
            if vector.count <= lane { vector += [UInt64](repeating: 0, count: lane + 1 - vector.count) }
            vector[lane] = counts[lane]
        }
        if let count = children[commit.id], count > 0 { vectors[commit.id] = vector }
    }

    // MARK: Causality

    /// What the parents had seen together.
    private mutating func popVector(of commit: GitHistory.Commit) -> [UInt64] {
        var vector: [UInt64] = []
        for parent in commit.parents {
            let theirs: [UInt64]
            if let count = children[parent], count > 1 {
                children[parent] = count - 1
                theirs = vectors[parent] ?? []
            } else {
                children[parent] = nil
                theirs = vectors.removeValue(forKey: parent) ?? []
            }
            if vector.isEmpty {
                vector = theirs
            } else {
                for index in theirs.indices {
                    if index == vector.count { vector.append(contentsOf: theirs[index...]) }
                    vector[index] = max(vector[index], theirs[index])
                }
            }
        }
        return vector
    }

    /// A lane of the author all of whose writes have been seen; a new one where there is none.
    private mutating func lane(of name: String, seen vector: inout [UInt64]) -> Int {
        let author = DeviceID(name.isEmpty ? "unknown" : name)
        for lane in lanesOfAuthor[author] ?? [] where counts[lane] == (lane < vector.count ? vector[lane] : 0) { return lane }
        let lane = lanes.count
        lanes.append(names.name(of: author, lane: (lanesOfAuthor[author] ?? []).count))
        counts.append(0)
        lanesOfAuthor[author, default: []].append(lane)
        return lane
    }

    private mutating func write(
        _ operation: TaggedWrite.Operation, to key: RecordKey, _ commit: GitHistory.Commit, _ lane: Int, seen: [UInt64]
    ) -> TaggedWrite {
        var record = records[key] ?? Record()
        let context = VersionVector(
            record.lanes.compactMap { other -> Dot? in
                guard other < seen.count, seen[other] > 0 else { return nil }
                return Dot(device: lanes[other], sequence: seen[other])
            })
        counts[lane] += 1
        writes += 1
        if !record.lanes.contains(lane) { record.lanes.append(lane) }
        var values: [(name: FieldName, value: FieldValue?)] = []
        switch operation {
        case .put(let map): values = map.map { ($0.name, $0.value == .null ? nil : $0.value) }
        case .delete: values = record.registers.keys.map { ($0, nil) }
        }
        for (name, value) in values {
            var marks = (record.registers[name] ?? []).filter { !covers(seen, $0) }
            marks.append(Mark(lane: lane, number: counts[lane], value: value))
            record.registers[name] = marks
        }
        records[key] = record
        return TaggedWrite(
            dot: Dot(device: lanes[lane], sequence: counts[lane]), timestamp: HybridTimestamp(milliseconds: commit.authorDate), key: key,
            operation: operation, seen: context, receipt: TaggedWrite.Receipt(milliseconds: commit.commitDate))
    }

    /// What a commit did to a record, nil where it did nothing.
    private func operation(_ change: Change, isMerge: Bool, seen: [UInt64]) -> TaggedWrite.Operation? {
        guard let after = change.after else {
            if change.before.allSatisfy({ $0 != nil }) { return .delete }
            let registers = records[change.key]?.registers ?? [:]
            let isAlive = registers.values.contains { marks in marks.contains { $0.value != nil && covers(seen, $0) } }
            return isMerge && isAlive ? .delete : nil
        }
        var values = FieldMap()
        for name in change.before.reduce(into: Set(after.names), { $0.formUnion(($1 ?? FieldMap()).names) }) {
            let value = after[name]
            if change.before.allSatisfy({ $0?[name] != value }) || isMerge && !isResolved(change.key, name, on: value, seen: seen) {
                values[name] = value ?? .null
            }
        }
        return values.isEmpty && !change.before.allSatisfy({ $0 == nil }) ? nil : .put(values)
    }

    /// Whether the writes that have been seen leave no doubt that this value is shown.
    private func isResolved(_ key: RecordKey, _ field: FieldName, on value: FieldValue?, seen: [UInt64]) -> Bool {
        let marks = (records[key]?.registers[field] ?? []).filter { covers(seen, $0) }
        return marks.isEmpty ? value == nil : marks.allSatisfy { $0.value == value }
    }

    private func covers(_ vector: [UInt64], _ mark: Mark) -> Bool { mark.lane < vector.count && vector[mark.lane] >= mark.number }

    // MARK: Content

    /// Adds the records that a file holds, before and after.
    private mutating func append(_ change: GitHistory.Change, in changes: inout [Change]) throws(TraceImportError) {
        guard let form = StructuredFile.Form(path: change.path) else {
            changes.append(Change(key: key(change.path), before: change.before.map(Self.fields), after: Self.fields(change.after)))
            return
        }
        var parents: [StructuredFile?] = []
        for file in change.before { parents.append(try content(file, form)) }
        var after = try content(change.after, form)
        if let file = change.after, after == nil, let last = parents.lazy.compactMap({ $0 }).first {
            // A conflict marker, a forgotten comma: the records are where they were until the file can be read again.
            unreadable += 1
            standIns[form.rawValue + file.blob] = last
            after = last
        }
        // Before it can be read for the first time it is a file like any other.
        let files = zip(change.before, parents).map { file, content in content == nil ? Self.fields(file) : nil }
        let file = after == nil ? Self.fields(change.after) : nil
        if file != nil || files.contains(where: { $0 != nil }) {
            changes.append(Change(key: key(change.path), before: files, after: file))
        }
        let entries = (parents + [after]).reduce(into: Set<RecordID>()) { $0.formUnion(($1?.entries ?? [:]).keys) }
        for entry in entries.sorted() {
            let (theirs, mine) = (parents.map { $0?.entries[entry] }, after?.entries[entry])
            if theirs.allSatisfy({ $0 == mine }) { continue }
            changes.append(Change(key: RecordKey(type: RecordType(change.path), id: entry), before: theirs, after: mine))
        }
    }

    private func key(_ path: String) -> RecordKey { RecordKey(type: Self.file, id: RecordID(path)) }

    private static func fields(_ file: GitHistory.File?) -> FieldMap? {
        file.map { [content: .string($0.blob), mode: .string($0.mode)] }
    }

    private func content(_ file: GitHistory.File?, _ form: StructuredFile.Form) throws(TraceImportError) -> StructuredFile? {
        guard let file, file.isOrdinary else { return nil }
        if let standIn = standIns[form.rawValue + file.blob] { return standIn }
        return try blobs.records(in: file.blob, form)
    }
}
