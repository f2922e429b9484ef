import SyncBytes
import SyncSystem

/// The names in directories, each directory read once until it is forgotten.
struct DirectoryNames {
    /// In the order of their bytes.
    private var names: [String: [String]] = [:]

    /// How often a directory was read.
    private(set) var readings = 0

    /// Has every directory read again.
    mutating func forget() { names.removeAll(keepingCapacity: true) }

    /// Has a directory read again.
    mutating func forget(_ directory: String) { names[directory] = nil }

    /// All names in a directory; none where it cannot be read.
    mutating func all(in directory: String) -> [String] {
        if let known = names[directory] { return known }
        let read = ((try? namesInDirectory(directory)) ?? []).sorted { $0.utf8Precedes($1) }
        names[directory] = read
        readings += 1
        return read
    }

    /// The names in a directory that begin with the same bytes.
    ///
    /// - Complexity: O(log *n*) for *n* names, once the directory was read.
    mutating func all(in directory: String, beginningWith start: Substring) -> ArraySlice<String> {
        let all = all(in: directory)
        let start = String(start)
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].utf8Precedes(start) { low = middle + 1 } else { high = middle }
        }
        return all[low...].prefix { $0.utf8.starts(with: start.utf8) }
    }
}
