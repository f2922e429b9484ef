import SyncSystem

/// Follows files for whole lines while others write, rename, empty, delete and make them.
///
/// Every line is given once and none is lost, as long as it can still be read when it is looked for:
///
/// - A file that was renamed is read on, so that what its writer puts there late is not lost: for three generations.
/// - Where a path was rotated more than once between two looks, the files in between are found beside it by their names, such as
///   `log.jsonl.2` or `log-20260115.jsonl`.
/// - A file that was emptied or rewritten is known by its content, the first line and what stood before the place where reading stopped,
///   and not by its size. What a copying rotation moved away before it was read is found in the copy.
/// - A file whose content was read under another name is not read again.
/// - A file that comes to be in a followed directory is followed from its first line.
///
/// What is overwritten or deleted before it could be read, and kept nowhere, is gone.
///
/// ```swift
/// var follower = LogFollower(paths: ["audit.jsonl"])
/// while true {
///     for case .line(let line) in follower.step() { print(String(decoding: line.bytes, as: UTF8.self)) }
///     follower.wait()
/// }
/// ```
public struct LogFollower: ~Copyable {
    /// Whether the last step left something that could have been read.
    public private(set) var isBehind = true

    let notifier = ChangeNotifier()
    private let maximumLineLength: Int
    private var followed: [FollowedPath] = []
    /// By their bytes: names that differ by their Unicode form are two files.
    private var paths: Set<[UInt8]> = []
    private let directories: [FollowedDirectory]
    private var open = OpenFiles()
    /// What need not be read, whatever its name is.
    private var known = KnownContent()
    private var events: [Event] = []
    /// How many bytes the running step may still read.
    private var budget = 0
    /// Whether it was told that no further file can be opened.
    private var hasToldOfLimit = false
    /// Which path the next step looks at first, so that those behind one that gains much have their turn.
    private var firstIndex = 0

    private(set) var names = DirectoryNames()
    /// The directories in which a file may have been rotated since the last step.
    private var changedDirectories: Set<String> = []
    /// Those that have changed since this step began.
    private var pendingDirectories: Set<String> = []

    /// How many bytes a step reads, and one piece of a file more at most.
    private static let bytesPerStep = 32 << 20

    /// A follower that begins at the first line of each file.
    ///
    /// - Parameters:
    ///   - paths: The files; they need not be there yet.
    ///   - maximumLineLength: The longest line read, in bytes.
    /// - Complexity: O(*n* log *n*) for *n* files and the names in their directories.
    public init(paths: [String], maximumLineLength: Int = 16 << 20) {
        self.init(paths: paths, directories: [], maximumLineLength: maximumLineLength, isStopped: { false })
    }

    /// The same, and files that come to be in some directories are followed too.
    ///
    /// - Parameter isStopped: Asked between files; once it says true the follower is of no more use.
    package init(paths: [String], directories: [FollowedDirectory], maximumLineLength: Int = 16 << 20, isStopped: () -> Bool) {
        self.maximumLineLength = maximumLineLength
        self.directories = directories
        for directory in directories {
            _ = notifier.watchDirectory(directory.path)
            // Parts of logs that are there already are none that were missed.
            for name in names.all(in: directory.path) where !directory.accepts(name) {
                if isStopped() { return }
                guard let file = try? ReadableFile(path: directory.path + name), file.isRegular, let start = try? file.fingerprint() else {
                    continue
                }
                known.insert(start)
            }
        }
        // What came between the listing that gave the paths and the watch is found by the first step.
        pendingDirectories = Set(directories.map(\.path))
        for path in paths {
            if isStopped() { return }
            follow(path)
            let index = followed.count - 1
            // What lies beside the log now is older than the wish to follow it.
            for file in rotatedFiles(of: index) { known.insert(file.fingerprint) }
            followed[index].begin = (try? ReadableFile(path: path))?.modified ?? .min
        }
    }

    private mutating func follow(_ path: String) {
        let rotated = RotatedFiles(path: path)
        // First, so that no file comes unnoticed between the two.
        _ = notifier.watchDirectory(rotated.directory)
        followed.append(FollowedPath(path: path, rotated: rotated))
        paths.insert(Array(path.utf8))
    }

    /// Skips the lines that are there, and lets the caller look at them, last line first.
    ///
    /// For use before the first ``step()``.
    ///
    /// - Parameter look: Looks at the lines of a file; false ends it.
    package mutating func skipToEnd(_ look: (_ path: String, inout BackwardLines) throws -> Bool) rethrows {
        for index in followed.indices where followed[index].files.isEmpty {
            guard let file = try? ReadableFile(path: followed[index].path), file.isRegular,
                var lines = try? BackwardLines(file, includesUnfinished: false, maximumLineLength: maximumLineLength)
            else { continue }
            let mark = try? file.mark(at: lines.end)
            add(FollowedFile(file, path: followed[index].path, mark: mark ?? ContentMark()), to: index)
            guard try look(followed[index].path, &lines) else { return }
        }
    }

    /// Looks once at everything that is followed.
    ///
    /// Memory is bounded: where there is more to read than fits, ``isBehind`` is set and the next step goes on.
    ///
    /// - Returns: What there is to tell, in the order in which it was found.
    public mutating func step() -> [Event] {
        events = []
        isBehind = false
        budget = Self.bytesPerStep
        // Before looking, so that what happens meanwhile is told again.
        changedDirectories = notifier.drainChanges().union(pendingDirectories)
        pendingDirectories = []
        names.forget()
        firstIndex = firstIndex < followed.count ? firstIndex : 0
        for index in Array(firstIndex..<followed.count) + Array(0..<firstIndex) {
            if budget <= 0 {
                // Nothing may be taken for looked at that was not.
                pendingDirectories.formUnion(changedDirectories)
                (firstIndex, isBehind) = (index, true)
                return drainEvents()
            }
            look(at: index)
        }
        for directory in directories { lookForNewFiles(in: directory) }
        return drainEvents()
    }

    private mutating func drainEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Ends the following.
    ///
    /// - Returns: The lines that were begun and not ended.
    public consuming func finish() -> [Event] {
        events = []
        for index in followed.indices {
            while let file = followed[index].files.first { drop(file, of: index) }
        }
        return events
    }

    // MARK: Directories

    private mutating func lookForNewFiles(in directory: FollowedDirectory) {
        if notifier.watchDirectory(directory.path) { changedDirectories.insert(directory.path) }
        guard changedDirectories.contains(directory.path) else { return }
        refreshNames(in: directory.path)
        for name in names.all(in: directory.path) where directory.accepts(name) {
            let path = directory.path + name
            // A log that was renamed is read on under the name that it had.
            guard !paths.contains(Array(path.utf8)), let file = try? ReadableFile(path: path), file.isRegular, open[file.identity] == nil
            else {
                continue
            }
            if let start = try? file.fingerprint(), known.contains(start), open.files(beginningWith: start).isEmpty { continue }
            follow(path)
            notice(.appeared, followed.count - 1)
            look(at: followed.count - 1)
        }
    }

    /// Has a directory read again where files have come to it since it was.
    private mutating func refreshNames(in directory: String) {
        // Where changes are told at once; elsewhere one reading has to do for a step.
        guard notifier.isPrompt else { return }
        let changed = notifier.drainChanges()
        pendingDirectories.formUnion(changed)
        for directory in changed { names.forget(directory) }
    }

    private mutating func rotatedFiles(of index: Int) -> [RotatedFiles.Found] {
        refreshNames(in: followed[index].rotated.directory)
        return followed[index].rotated.all(&names)
    }

    // MARK: One path

    private mutating func look(at index: Int) {
        let directory = followed[index].rotated.directory
        if notifier.watchDirectory(directory) { changedDirectories.insert(directory) }
        // What was written to the old file before the new one appeared comes before what is written to that one: the path is looked at
        // first, and the old file read to its end after that.
        let sighting = FileSighting(path: followed[index].path)
        guard readFiles(of: index) else { return isBehind = true }
        let hasChanged: Bool
        switch FollowedPath.verdict(sighting, last: followed[index].files.last?.file.identity) {
        case .unchanged:
            followed[index].lastNotice = nil
            hasChanged = findMissedFiles(of: index, sighting)
        case .isGone:
            notice(followed[index].files.isEmpty ? .missing : .gone, index)
            hasChanged = findMissedFiles(of: index, sighting)
        case .isBlocked(let sentence):
            notice(.unreadable(sentence), index)
            hasChanged = false
        case .isNew: hasChanged = turn(index)
        }
        if hasChanged, !readFiles(of: index) { return isBehind = true }
        while followed[index].files.count > FollowedPath.filesReadOn + 1 { drop(followed[index].files[0], of: index) }
    }

    private static func limitSentence(_ error: Errno) -> String {
        "the file cannot be read, nor can others that are not named: \(error.sentence): let the process have more, as by 'ulimit -n 4096', or "
            + "follow fewer files"
    }

    /// Goes on with the file that is at the path now.
    private mutating func turn(_ index: Int) -> Bool {
        let path = followed[index].path
        let file: ReadableFile
        do throws(Errno) {
            file = try ReadableFile(path: path)
        } catch {
            // One that has gone again is seen by the next look.
            if case .obstacle(let sentence) = FileSighting(error) {
                // Of as many files as there are too many, one is enough to name.
                let isLimit = error.number == EMFILE || error.number == ENFILE
                if isLimit, hasToldOfLimit { return false }
                if isLimit { hasToldOfLimit = true }
                notice(.unreadable(isLimit ? Self.limitSentence(error) : sentence), index)
            }
            return false
        }
        // It may have become another one, or something else, meanwhile.
        guard file.isRegular, followed[index].files.last?.file.identity != file.identity else {
            isBehind = true
            return false
        }
        if followed[index].files.isEmpty {
            if followed[index].lastNotice != nil { notice(.appeared, index) }
        } else {
            notice(.replaced, index)
        }
        addMissedFiles(rotatedFiles(of: index), to: index, except: file.identity)
        followed[index].lastNotice = nil
        if let same = open[file.identity] {
            if followed[index].files.contains(where: { $0 === same }) {
                followed[index].files.removeAll { $0 === same }
            } else {
                same.paths += 1
            }
            followed[index].files.append(same)
        } else {
            add(FollowedFile(file, path: path), to: index)
        }
        return true
    }

    /// Looks for files that came and went since the last step, though the path leads to the same file as before or to none.
    private mutating func findMissedFiles(of index: Int, _ sighting: FileSighting) -> Bool {
        guard changedDirectories.contains(followed[index].rotated.directory), let last = followed[index].files.last else { return false }
        let rotated = rotatedFiles(of: index)
        guard FileSighting(path: followed[index].path) == sighting else {
            // What was found may be newer than the file that is read now, and has its turn after it.
            isBehind = true
            return false
        }
        let count = followed[index].files.count
        addMissedFiles(rotated, to: index, except: last.file.identity)
        if case .file = sighting {
            followed[index].files.removeAll { $0 === last }
            followed[index].files.append(last)
        }
        return followed[index].files.count > count
    }

    /// Reads the files of a path one after the other, each to its end.
    ///
    /// - Returns: Whether the end of the last was reached.
    private mutating func readFiles(of index: Int) -> Bool {
        var isAtEnd = true
        for file in followed[index].files where isAtEnd {
            // Another path may lead to it too, or a file before it may have been dropped for it.
            isAtEnd = read(file, of: index)
        }
        return isAtEnd
    }

    private mutating func read(_ file: FollowedFile, of index: Int) -> Bool {
        if file.mark.position == 0, isWaitingForContent(file, of: index) { return true }
        let position = file.mark.position
        var isFirst = file.mark.isAtFirstLine
        switch file.read(maximumLineLength: maximumLineLength) {
        case .pieces(let pieces, let isMore):
            budget -= Int(clamping: max(0, file.mark.position - position))
            recordContent(of: file)
            for piece in pieces {
                switch piece {
                case .line(let bytes):
                    events.append(.line(Line(path: file.path, bytes: bytes, isUnfinished: false, isFirst: isFirst)))
                case .tooLong: events.append(.notice(Notice(path: file.path, kind: .lineTooLong(limit: maximumLineLength))))
                }
                isFirst = false
            }
            return !isMore
        case .isReplaced:
            startAgain(file, of: index)
            return false
        case .failed(let error):
            notice(.unreadable("the file cannot be read: \(error.sentence)"), index)
            return true
        }
    }

    // MARK: Content

    /// Whether a file of which nothing was read is to be left alone for now; where its content was read elsewhere, it goes on from there.
    private func isWaitingForContent(_ file: FollowedFile, of index: Int) -> Bool {
        // Without a whole first line there is neither a line nor a way to tell.
        guard let fingerprint = try? file.file.fingerprint(), fingerprint.isComplete else { return true }
        for other in open.files(beginningWith: fingerprint) where other !== file {
            if other.isContained(in: file.file) {
                file.adopt(other.mark)
                return false
            }
            guard let length = other.lengthCopied(to: file.file) else { continue }
            // A copy that is being made, or one that was made shorter on purpose and takes the place of the file.
            guard followed[index].files.contains(where: { $0 === other }), followed[index].files.last === file,
                let mark = try? file.file.mark(at: length)
            else { return true }
            file.adopt(mark)
            return false
        }
        return false
    }

    private mutating func startAgain(_ file: FollowedFile, of index: Int) {
        guard followed[index].files.last === file else {
            // Somebody uses the old file again for something else.
            return drop(file, of: index)
        }
        let old = FollowedFile(file.file, path: file.path, mark: file.mark)
        let rotated = rotatedFiles(of: index)
        notice(.rewritten, index)
        followed[index].lastNotice = nil
        known.insert(old.mark.fingerprint)
        open.forgetContent(of: file)
        followed[index].files.removeLast()
        let copy = rotated.first { found in
            found.file.identity != file.file.identity && open[found.file.identity] == nil && old.isContained(in: found.file)
        }
        if let copy {
            add(FollowedFile(copy.file, path: copy.path, mark: old.mark), to: index)
        } else {
            tellUnfinished(old)
        }
        addMissedFiles(rotated, to: index, except: file.file.identity)
        file.adopt(ContentMark())
        followed[index].files.append(file)
    }

    /// Adds those of some files that were never seen.
    private mutating func addMissedFiles(_ rotated: [RotatedFiles.Found], to index: Int, except identity: FileIdentity) {
        for found in rotated where known.insert(found.fingerprint) {
            // An old file that someone has put back, or unpacked, is no news.
            guard found.file.modified >= followed[index].begin, found.file.identity != identity, open[found.file.identity] == nil else {
                continue
            }
            add(FollowedFile(found.file, path: found.path), to: index)
        }
    }

    // MARK: Files

    private mutating func add(_ file: FollowedFile, to index: Int) {
        file.watch = notifier.watchFile(file.path)
        file.paths = 1
        open.insert(file)
        recordContent(of: file)
        followed[index].files.append(file)
    }

    private mutating func drop(_ file: FollowedFile, of index: Int) {
        followed[index].files.removeAll { $0 === file }
        recordContent(of: file)
        file.paths -= 1
        if file.paths > 0 { return }
        if let watch = open.remove(file) { notifier.unwatch(watch) }
        tellUnfinished(file)
    }

    /// Records how a file begins once that can no longer change, so that the same content is not read under another name.
    private mutating func recordContent(of file: FollowedFile) {
        if open.recordContent(of: file) { known.insert(file.mark.fingerprint) }
    }

    private mutating func tellUnfinished(_ file: FollowedFile) {
        // A file without a whole first line has not been read at all.
        if file.mark.position == 0, let fingerprint = try? file.file.fingerprint(), !fingerprint.isComplete {
            _ = file.read(maximumLineLength: maximumLineLength)
        }
        guard let line = file.mark.lastLine else { return }
        events.append(.line(Line(path: file.path, bytes: line, isUnfinished: true, isFirst: file.mark.isAtFirstLine)))
    }

    private mutating func notice(_ kind: Notice.Kind, _ index: Int) {
        if followed[index].lastNotice == kind { return }
        followed[index].lastNotice = kind
        events.append(.notice(Notice(path: followed[index].path, kind: kind)))
    }
}
