/// A way to write a string so that what displays it neither acts on any part of it nor hides one.
package struct Escaping: Sendable {
    fileprivate let apply: @Sendable (String) -> String

    /// An escaping of whole strings.
    package init(_ apply: @escaping @Sendable (String) -> String) {
        self.apply = apply
    }

    /// An escaping that writes some characters as something else.
    ///
    /// - Parameters:
    ///   - first: An escaping to be done before.
    ///   - replacement: What is written for a character; nil for one that stays.
    package init(after first: Escaping? = nil, replacing replacement: @escaping @Sendable (Unicode.Scalar) -> String?) {
        self.init { string in
            let string = first?.apply(string) ?? string
            guard string.unicodeScalars.contains(where: { replacement($0) != nil }) else { return string }
            return string.unicodeScalars.reduce(into: "") { result, scalar in
                if let replacement = replacement(scalar) { result += replacement } else { result.unicodeScalars.append(scalar) }
            }
        }
    }
}

extension String {
    /// The string as it is written for a display.
    package func escaped(for escaping: Escaping) -> String { escaping.apply(self) }
}

extension Escaping {
    /// Writes every character that a terminal acts on, or does not show, as `\u{…}`.
    ///
    /// Doing it twice changes nothing.
    package static let terminal = Escaping(replacing: { $0.isVisibleOnTerminal ? nil : "\\u{" + String($0.value, radix: 16) + "}" })
}
