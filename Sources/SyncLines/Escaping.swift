import SyncModel

/// A way to write a string so that what displays it neither acts on any part of it nor hides one.
package struct Escaping: Sendable {
    fileprivate let apply: @Sendable (String) -> String

    /// An escaping for one kind of display.
    package init(_ apply: @escaping @Sendable (String) -> String) {
        self.apply = apply
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
    package static let terminal = Escaping { string in
        guard !string.unicodeScalars.allSatisfy(\.isVisibleOnTerminal) else { return string }
        return string.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isVisibleOnTerminal {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
    }
}
