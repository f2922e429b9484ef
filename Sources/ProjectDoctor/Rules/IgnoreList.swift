import SyncModel

/// What `.syncaudit.json` in the project's folder says is not to be reported, each with a reason.
struct IgnoreList: Sendable {
    static let path = ".syncaudit.json"

    private struct Entry {
        let rule: String
        let path: String?
        let reason: String
    }

    private var entries: [Entry] = []

    init(_ files: ProjectFiles, notes: inout [Note]) {
        guard files.contains(Self.path) else { return }
        let location = SourceLocation(path: Self.path)
        do {
            let file = try files.read(Self.path)
            let value = try JSONParser.parse(String(decoding: file.bytes, as: UTF8.self))
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
                entries.append(Entry(rule: rule, path: entry["path"]?.string, reason: reason))
            }
        } catch let error as FormatError {
            notes.append(Note(location, error.sentence))
        } catch {
            notes.append(Note(location, "it is no JSON: nothing is ignored"))
        }
    }

    /// Why a finding is not reported; nil where it is.
    func reason(for finding: Finding) -> String? {
        entries.first { $0.rule == finding.rule && ($0.path.map { $0 == finding.location.path } ?? true) }?.reason
    }
}
