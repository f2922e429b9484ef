import SyncLines
import SyncModel

/// The two sides of a conflict, and the record related to it.
extension LineScanner {
    /// Reads a side of a conflict.
    @inline(never) mutating func afterSide(_ start: LineCursor, _ number: Int) -> LineCursor? {
        if !quotes.hasLine, let end = afterUsualSide(start, number) { return end }
        var cursor = start
        open.clear()
        guard cursor.opening() == .comma else { return nil }
        var side = Side()
        let mark = others.count
        var (known, read) = (KeySet(), KeySet())
        var separator = LineCursor.Separator.comma
        while separator == .comma {
            if let (key, isLast) = consumeShown(&cursor, sideExtents) {
                guard known.insert(key) else { return nil }
                if isLast { separator = cursor.separator() }
                continue
            }
            let member = cursor
            if let key = keys.consume(&cursor), sideMeaning.contains(key) {
                guard known.insert(key), read.insert(key), consumeSideValue(of: key, &cursor, nil, &side) else { return nil }
            } else {
                guard cursor.goTo(afterOthers(member, sideMeaning, above: mark, depth: 2)) else { return nil }
            }
            separator = cursor.separator()
        }
        others.pop(to: mark)
        guard separator == .end, known.isSuperset(of: sideKeys) else { return nil }
        guard readSide(known.subtracting(read), &side) else { return nil }
        sides[number] = side
        return cursor
    }

    /// Reads the values of some keys of a side where the quotes say that they stand.
    @inline(never) private mutating func readSide(_ shown: KeySet, _ side: inout Side) -> Bool {
        var rest = shown
        while let key = rest.removeFirst() {
            let extent = sideExtents[key]
            var end = extent.start
            guard consumeSideValue(of: key, &end, extent, &side), end == extent.end else { return false }
        }
        return true
    }

    /// Reads a value of a side.
    @inline(__always) private mutating func consumeSideValue(
        of key: LineKey, _ cursor: inout LineCursor, _ shown: ValueExtents.Extent?, _ side: inout Side
    ) -> Bool {
        switch key {
        case .device:
            guard let text = text(&cursor, shown), text.isPlain, text.count > 0 else { return false }
            side.device = text
            return true
        case .number:
            guard let number = cursor.positiveNumber() else { return false }
            side.number = number
            return true
        case .timestamp:
            guard let timestamp = cursor.timestamp(&days) else { return false }
            side.milliseconds = timestamp
            return true
        case .counter: return cursor.skipWholeNumber(to: Int64(UInt32.max))
        case .operation: return operations.consume(&cursor) != nil
        case .value: return cursor.skipValue(depth: 2, &open)
        case .app:
            guard let app = text(&cursor, shown), app.canBeVersion else { return false }
            side.app = app
            return true
        default: return false
        }
    }

    /// Passes over the key of another record.
    @inline(never) mutating func afterRelated(_ start: LineCursor) -> LineCursor? {
        var cursor = start
        guard cursor.opening() == .comma else { return nil }
        var (separator, known) = (LineCursor.Separator.comma, KeySet())
        while separator == .comma, let key = keys.consume(&cursor), known.insert(key) {
            guard key == .recordType || key == .recordID, let text = cursor.text(), key == .recordID || text.count > 0 else { return nil }
            separator = cursor.separator()
        }
        return separator == .end && known.contains(.recordType) && known.contains(.recordID) ? cursor : nil
    }
}
