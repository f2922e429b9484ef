/// What is to be told of a subject, to people and to programs.
///
/// ```swift
/// let answer = VerifyAnswer(verdicts)
/// print(answer.text(PageLayout()))
/// ```
package protocol Answer {
    /// The page for a person, to be read from top to bottom.
    func page(_ layout: PageLayout) -> Page

    /// The keys for another program, each of which the page *Keys for programs* explains.
    var document: Document { get }
}

extension Answer {
    /// The page for a terminal, lines ended by line feeds.
    package func text(_ layout: PageLayout) -> String { page(layout).text(layout) }

    /// The keys as one JSON object on one line.
    package var json: [UInt8] { document.json }
}
