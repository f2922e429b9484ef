import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// What losses must be about to be listed, or must not.
struct LiveFilter {
    /// What a loss is about.
    enum Subject {
        /// Some letters of its record, of what people call that, of its field or of a device.
        case letters(String)
        case type(RecordType)
        /// A field of a type; nil for the whole record.
        case field(RecordType, FieldName?)
        case record(RecordKey)
        /// A device, whose edit was lost or won.
        case device(DeviceID)
        /// The device whose edit was lost.
        case loser(DeviceID)
    }

    let subject: Subject
    var isOut = false

    /// A filter by letters; behind an exclamation mark are those that a loss must not have.
    init?(letters text: String) {
        isOut = text.hasPrefix("!")
        let letters = isOut ? String(text.dropFirst()) : text
        guard !letters.isEmpty else { return nil }
        subject = .letters(letters)
    }

    init(_ subject: Subject, isOut: Bool) { (self.subject, self.isOut) = (subject, isOut) }

    /// The letters, as they are typed; nil of another filter.
    var typed: String? {
        if case .letters(let letters) = subject { (isOut ? "!" : "") + letters } else { nil }
    }

    /// What it is, for a screen.
    var words: String {
        let words =
            switch subject {
            case .letters(let letters): "\"\(letters.escaped(for: .terminal))\""
            case .type(let type): "type " + EventText.name(type.rawValue)
            case .field(let type, let field): Self.words(type, field)
            case .record(let key): "record " + EventText.register(key, nil)
            case .device(let device): "device " + EventText.name(device.rawValue)
            case .loser(let device): "losses of " + EventText.name(device.rawValue)
            }
        return (isOut ? "without " : "only ") + words
    }

    /// A field, or the records of a type as wholes.
    static func words(_ type: RecordType, _ field: FieldName?) -> String {
        let type = EventText.name(type.rawValue)
        return field.map { "field \(type).\(EventText.name($0.rawValue))" } ?? "whole records of \(type)"
    }

    /// Whether a loss is listed.
    func admits(_ loss: LiveLog.Loss, _ names: RecordNames) -> Bool { isAbout(loss, names) != isOut }

    private func isAbout(_ loss: LiveLog.Loss, _ names: RecordNames) -> Bool {
        let conflict = loss.conflict
        let devices = [conflict.loser.dot.device, conflict.winner.dot.device]
        return switch subject {
        case .letters(let letters): loss.contains(letters.lowercased(), names)
        case .type(let type): conflict.key.type == type
        case .field(let type, let field): conflict.key.type == type && conflict.field == field
        case .record(let key): conflict.key == key
        case .device(let device): devices.contains(device)
        case .loser(let device): devices[0] == device
        }
    }
}

extension LiveLog.Loss {
    fileprivate func contains(_ wanted: String, _ names: RecordNames) -> Bool {
        let (key, field) = (conflict.key, conflict.field.map { "." + $0.rawValue } ?? "")
        let parts = [
            key.type.rawValue + field, key.description, names[key] ?? "", conflict.loser.dot.device.rawValue,
            conflict.winner.dot.device.rawValue, conflict.id.description,
        ]
        return parts.contains { $0.lowercased().contains(wanted) }
    }
}
