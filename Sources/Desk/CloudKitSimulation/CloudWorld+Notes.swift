import SyncBytes
import SyncModel
import SyncObservation

/// What happens in a history, a sentence each.
final class CloudNotes {
    var sentences: [String] = []
}

extension CloudWorld {
    /// Appends a sentence about a device to the notes, where they are kept.
    func note(_ index: Int, _ sentence: @autoclosure () -> String) {
        notes?.sentences.append("\(devices[index].configuration.device) \(sentence())")
    }

    /// Fields of a record with their values, and in brackets which version each is.
    func described(_ key: RecordKey, _ cells: [FieldName: CloudDatabase.Cell]?) -> String {
        guard let cells else { return "the delete of \(key.id)" }
        let fields = cells.ordered { $0.key < $1.key }.compactMap { name, cell in
            cell.version.map { "\(name)=\(text(cell.value)) (\($0))" }
        }
        return "\(key.id): " + (fields.isEmpty ? "nothing" : fields.joined(separator: ", "))
    }

    /// A value as it is read; the histories' values are whole numbers.
    func text(_ value: FieldValue?) -> String { value.map { $0.integer.map(String.init) ?? "\($0)" } ?? "nothing" }
}
