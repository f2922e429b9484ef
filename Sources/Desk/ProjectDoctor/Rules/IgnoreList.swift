import FileFormats
import SyncBytes
import SyncModel

/// What `.syncaudit.json` in the project's folder says is not to be reported, each with a reason.
struct IgnoreList: Sendable {
    static let path = ".syncaudit.json"

    /// Reasons by rule and path; an empty path stands for all.
    private var reasons: [[String]: String] = [:]

    /// - Parameter now: The time by which a last day is over, in milliseconds since 1970; nil where no day ever is.
    init(_ files: ProjectFiles, now: Int64?, notes: inout [Note]) {
        guard files.contains(Self.path) else { return }
        let location = SourceLocation(path: Self.path)
        do {
            let file = try files.read(Self.path)
            let value = try JSONParser.parse(String(decoding: file.bytes, as: UTF8.self))
            // The other parts are the rules of an audit.
            if case .object(let map) = value, map["doctor"] == nil { return }
            guard case .object(let map) = value, case .object(let doctor)? = map["doctor"], case .array(let ignored)? = doctor["ignore"]
            else {
                notes.append(Note(location, "it has no \"doctor\" with a list \"ignore\""))
                return
            }
            for element in ignored {
                guard case .object(let entry) = element, let rule = entry["rule"]?.string, let reason = entry["reason"]?.string,
                    !reason.isEmpty
                else {
                    notes.append(Note(location, "an entry of \"ignore\" lacks \"rule\" or \"reason\", and is not obeyed"))
                    continue
                }
                guard Rule.all.contains(where: { $0.id == rule }) else {
                    notes.append(Note(location, "there is no rule \(rule.quoted), and nothing is left out for it"))
                    continue
                }
                if let until = entry["until"] {
                    guard let day = until.string, let end = RFC3339.end(ofDay: day) else {
                        notes.append(Note(location, "\"until\" of \(rule.quoted) is no day that exists, and the entry is not obeyed"))
                        continue
                    }
                    if let now, end <= now {
                        notes.append(Note(location, "\(rule.quoted) was left out until \(day), and is reported again: \(reason)"))
                        continue
                    }
                }
                let path = entry["path"]?.string.map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
                reasons[[rule, path ?? ""]] = reason
            }
        } catch let error as FormatError {
            notes.append(Note(location, error.sentence))
        } catch {
            notes.append(Note(location, "it is no JSON: nothing is ignored"))
        }
    }

    /// Why a finding is not reported; nil where it is.
    func reason(for finding: Finding) -> String? {
        reasons[[finding.rule, finding.location.path]] ?? reasons[[finding.rule, ""]]
    }
}
