import Foundation

/// A small change to the meaning of one expression or statement.
struct Mutant {
    /// How the rewritten source chooses between the original and the change; ``token`` stands for the question whether this mutant is active.
    enum Form {
        /// The original and the change in one conditional expression.
        case choose(String)
        /// Text before and after the original.
        case wrap(String, String)
    }

    /// Replaced by the call that asks whether the mutant is active.
    static let token = "\u{1}"

    /// The source file, relative to the package.
    let file: String
    /// The offsets of the UTF-8 bytes that are changed.
    let range: Range<Int>
    /// The line of the change, from 1, and its source without indentation.
    let line: Int
    let source: String
    /// The change in words that stay the same when other lines change.
    let mutation: String
    let form: Form

    /// The text that stands for the original in the rewritten source.
    func rewritten(_ inner: String, number: Int) -> String {
        let question = "isMutant(\(number))"
        switch form {
        case .choose(let mutated): return "(\(question) ? \(mutated) : \(inner))"
        case .wrap(let before, let after):
            return before.replacing(Self.token, with: question) + inner + after.replacing(Self.token, with: question)
        }
    }

    /// What names the mutant in the list of those that change nothing.
    var identity: Identity { Identity(file: file, line: source, mutation: mutation) }

    /// A mutant's name, whatever the number of its line.
    struct Identity: Hashable, Codable {
        let file: String
        let line: String
        let mutation: String
    }
}
