import AuditReport

/// What a check is written as.
enum CheckFormat: String, Hashable, Sendable, CaseIterable {
    case text
    case json
    case html
    case sarif
    case github
    case gitlab

    /// How many findings of each kind are told one by one.
    ///
    /// A code host compares what it gets with what it got before: of more than twenty it has to get the same ones again, and GitHub takes
    /// 25,000 in all.
    var findingsOfEachKind: Int {
        switch self {
        case .text, .json, .html, .github: 20
        case .sarif, .gitlab: 1000
        }
    }
}

extension CommandInput {
    /// The path of a file; nil for standard input.
    var path: String? { if case .file(let path) = self { path } else { nil } }
}

extension CheckAnswer {
    /// The answer in a format, as UTF-8.
    ///
    /// - Parameter first: The input that is named first, for what is in no file.
    func written(as format: CheckFormat, _ layout: PageLayout, first: CommandInput?) -> [UInt8] {
        let file = first?.path
        return switch format {
        case .text: written(as: .text, layout)
        case .json: written(as: .json, layout)
        case .html: written(as: .html, layout)
        case .sarif: sarif(version: SyncAudit.version, first: file)
        case .github: Array(github.utf8)
        case .gitlab: codeQuality(first: file)
        }
    }
}
