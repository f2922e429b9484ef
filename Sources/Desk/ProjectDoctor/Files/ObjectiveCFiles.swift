extension ProjectFiles {
    /// How many files in Objective-C are looked at, and how many bytes of each: its imports are at its top.
    private static let objectiveCLimits = (files: 20_000, bytes: 16_384)

    /// The files in Objective-C that import CloudKit.
    ///
    /// - Complexity: O(*n*) in the files.
    func objectiveCWithCloudKit() -> [String] {
        let extensions = [".m", ".mm", ".h"]
        return paths.lazy.filter { path in extensions.contains(where: path.hasSuffix) }.prefix(Self.objectiveCLimits.files).filter { path in
            guard let bytes = try? read(path).bytes.prefix(Self.objectiveCLimits.bytes) else { return false }
            return ["<CloudKit/", "@import CloudKit"].contains { bytes.firstRange(ofBytes: $0.utf8) != nil }
        }
    }
}
