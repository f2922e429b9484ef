import ConflictAudit

extension WriterCore {
    /// Writes what is queued, and looks for conflicts from the end of the log on.
    func keptConflicts(among ids: Set<ConflictID>) -> Set<ConflictID>? {
        if ids.isEmpty { return [] }
        guard drain(.ordinary), let paths = newestPaths() else { return nil }
        var missing = ids
        for path in paths {
            do throws(AuditLogError) {
                var lines = try BackwardLines(path: path)
                while !missing.isEmpty, let line = try lines.next() {
                    if case .bytes(let bytes, _) = line, let id = Self.conflict(bytes) { missing.remove(id) }
                }
            } catch {
                return nil
            }
        }
        return ids.subtracting(missing)
    }

    /// The conflict that a line of a log's own writer tells of; nil where it tells of something else.
    private static func conflict(_ line: [UInt8]) -> ConflictID? {
        // Only identifiers come before the event, and a quotation mark in them is escaped.
        let (event, conflict) = (Array(#","event":"#.utf8), Array(#""conflict","id":""#.utf8))
        guard let start = line.indices.first(where: { line[$0...].starts(with: event) }) else { return nil }
        let rest = line[(start + event.count)...]
        guard rest.starts(with: conflict) else { return nil }
        return ConflictID(String(decoding: rest.dropFirst(conflict.count).prefix(16), as: UTF8.self))
    }
}
