import SyncSystem

/// The files that are read, by what identifies them.
struct OpenFiles {
    private var byIdentity: [FileIdentity: FollowedFile] = [:]
    private var byContent: [Fingerprint: [FollowedFile]] = [:]
    /// For each watch the number of files that it tells about.
    private var watches: [Int32: Int] = [:]

    /// How many files that begin alike are told apart: the first line of a log carries its time and number.
    private static let limit = 16

    /// The file that the system knows by a number, where it is read.
    subscript(identity: FileIdentity) -> FollowedFile? { byIdentity[identity] }

    /// The files that begin alike; the latest of them, where there are many.
    func files(beginningWith fingerprint: Fingerprint) -> ArraySlice<FollowedFile> { byContent[fingerprint]?.suffix(Self.limit) ?? [] }

    mutating func insert(_ file: FollowedFile) {
        byIdentity[file.file.identity] = file
        if let watch = file.watch { watches[watch, default: 0] += 1 }
    }

    /// - Returns: The watch that tells about no other file, and can end.
    mutating func remove(_ file: FollowedFile) -> Int32? {
        byIdentity[file.file.identity] = nil
        forgetContent(of: file)
        guard let watch = file.watch, let count = watches[watch] else { return nil }
        watches[watch] = count > 1 ? count - 1 : nil
        return count > 1 ? nil : watch
    }

    /// Makes a file one that is found by how it begins, once that can no longer change.
    ///
    /// - Returns: False where it was before, or can still change.
    mutating func recordContent(of file: FollowedFile) -> Bool {
        let content = file.mark.fingerprint
        guard file.recordedContent == nil, content.isComplete else { return false }
        file.recordedContent = content
        byContent[content, default: []].append(file)
        return true
    }

    /// For a file that is going to hold something else.
    mutating func forgetContent(of file: FollowedFile) {
        guard let content = file.recordedContent else { return }
        file.recordedContent = nil
        byContent[content]?.removeAll { $0 === file }
        if byContent[content]?.isEmpty == true { byContent[content] = nil }
    }
}
