/// What an answer is written as, whatever it is about.
package enum AnswerFormat: String, Hashable, Sendable, CaseIterable {
    case text
    case json
    case html
}

extension Answer {
    /// The answer in a format, as UTF-8.
    package func written(as format: AnswerFormat, _ layout: PageLayout) -> [UInt8] {
        switch format {
        case .text: Array(text(layout).utf8)
        case .json: json
        case .html: Array(page(layout).html(layout).utf8)
        }
    }
}
