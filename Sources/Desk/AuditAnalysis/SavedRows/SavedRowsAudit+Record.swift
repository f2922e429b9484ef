package import ConflictAudit
package import SyncModel

/// What the rows tell of one record, once the audit has ended.
extension SavedRowsAudit {
    /// What a record shows after its last row, once the audit has ended; nil where its rows do not tell what was kept.
    package func state(of key: RecordKey) -> SavedState? {
        guard let entry = entry(of: key), !sentTypes.contains(entry.type),
            let last = entry.record.versions.last
        else { return nil }
        let versions = last.isDelete ? entry.record.versions.dropLast() : entry.record.versions[...]
        var (fields, rows): (FieldMap, [FieldName: SavedState.Row]) = ([:], [:])
        if let index = versions.indices.last, case let shown = entry.record.shown {
            fields = numbers.map(Array(shown[index]), type: entry.type)
            for field in shown.fields where shown[index, field] != SavedRowNumbers.none {
                let others = versions.indices.last { shown[$0, field] != shown[index, field] }
                rows[numbers.types[entry.type].names[field]] = row(versions[others.map { $0 + 1 } ?? versions.startIndex])
            }
        }
        return SavedState(fields: fields, isRemoved: last.isDelete, version: last.name.map(numbers.text), rows: rows, row: row(last))
    }

    private func row(_ version: SavedRecord.Version) -> SavedState.Row {
        SavedState.Row(
            line: version.line, author: version.author.map { numbers.authors[$0] }, milliseconds: version.made ?? version.received)
    }

    /// The versions between which a loss that was found happened, in their order; none where it is not of these rows.
    package func versions(of loss: Conflict) -> [SavedVersion] {
        guard let told = loss.versions, let entry = entry(of: loss.key), case let versions = entry.record.versions,
            // A version that is missing, and a delete that an end tells, have the line of another.
            let save = versions.lastIndex(where: {
                $0.line == told.rows.save && !$0.isMissing && $0.isDelete == (loss.winner.operation == .delete)
            }), save > 0,
            let lost = versions[..<save].lastIndex(where: { $0.line == told.rows.lost && !$0.isMissing && !$0.isDelete })
        else { return [] }
        func version(_ role: SavedVersion.Role, _ index: Int) -> SavedVersion {
            let version = versions[index]
            return SavedVersion(
                role: role, name: name(version), author: version.author.map { numbers.authors[$0] },
                milliseconds: version.made ?? version.received,
                fields: version.isDelete ? nil : numbers.map(Array(entry.record.shown[index]), type: entry.type))
        }
        let base = versions[..<lost].lastIndex { name($0) == told.base }.map { version(.base, $0) }
        return (base.map { [$0] } ?? []) + [version(.lost, lost)] + (lost == save - 1 ? [] : [version(.current, save - 1)])
            + [version(.save, save)]
    }

    /// The saves of a record as writes in the server's order, once the audit has ended: an author had seen what a row tells as its base.
    ///
    /// - Complexity: O(*v* · *a*) for *v* versions by *a* authors.
    package func writes(to key: RecordKey) -> [TaggedWrite] {
        guard let entry = entry(of: key) else { return [] }
        var (writes, seen): ([TaggedWrite], [VersionVector]) = ([], [])
        for (index, version) in entry.record.versions.enumerated() {
            var vector = seen.last ?? VersionVector()
            if !version.isMissing {
                let dot = dot(of: version)
                let fields = numbers.map(Array(entry.record.named[index]), type: entry.type)
                writes.append(
                    TaggedWrite(
                        dot: dot, timestamp: HybridTimestamp(milliseconds: version.made ?? version.received ?? 0), key: key,
                        operation: version.isDelete ? .delete : .put(fields), seen: version.told.map { seen[$0] },
                        receipt: TaggedWrite.Receipt(milliseconds: version.received, hubSequence: UInt64(index + 1))))
                vector.insert(dot)
            }
            seen.append(vector)
        }
        return writes
    }

    private func entry(of key: RecordKey) -> Entry? {
        guard let number = numbers.known(key), number < entryIndices.count, entryIndices[number] >= 0 else { return nil }
        return entries[Int(entryIndices[number])]
    }
}
