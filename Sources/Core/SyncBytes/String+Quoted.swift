extension String {
    /// The string cut to a length fit for a message.
    package var shortened: String {
        unicodeScalars.count <= 60 ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(60))) + "…"
    }

    /// The string in quotes, cut to a length fit for a message and with nothing in it that a terminal acts on.
    package var quoted: String {
        var buffer: [UInt8] = []
        JSONText.append(shortened, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// The string as one word of a shell's command line, with nothing in it that a terminal acts on.
    ///
    /// What a terminal would act on, or not show, is written by its bytes in a dollar-quoted word, which bash, zsh and ksh read, and any
    /// shell of POSIX.1-2024 (XCU, section 2.2.4).
    package var shellWord: String {
        if utf8.allSatisfy(\.isPlainInShell), !isEmpty, escaped(for: .terminal) == self { return self }
        if escaped(for: .terminal) == self { return enclosed(in: "'", escapedAs: #"'\''"#) }
        var word = "$'"
        for scalar in unicodeScalars {
            let text = String(scalar)
            switch scalar {
            case "'", "\\": word += "\\" + text
            case _ where text.escaped(for: .terminal) == text: word.unicodeScalars.append(scalar)
            default:
                // Three octal digits: of hexadecimal ones a shell may take as many as follow.
                for byte in text.utf8 { word += "\\" + String(UInt16(byte) + 0o1000, radix: 8).dropFirst() }
            }
        }
        return word + "'"
    }

    /// The path as one operand of a command line: also where its name begins as an option does.
    package var shellOperand: String { (hasPrefix("-") && self != "-" ? "./" + self : self).shellWord }

    /// The string between two quotes, with something else for each quote in it.
    ///
    /// It goes by scalars: a quote with an accent behind it is another character, and yet a quote to whoever reads it.
    package func enclosed(in quote: Unicode.Scalar, escapedAs escape: String) -> String {
        var enclosed = String(quote)
        for scalar in unicodeScalars {
            if scalar == quote { enclosed += escape } else { enclosed.unicodeScalars.append(scalar) }
        }
        enclosed.unicodeScalars.append(quote)
        return enclosed
    }

    /// The words of a name like `clockSuspect`, in lower case and with a separator between them.
    package func separatingWords(by separator: String) -> String {
        reduce(into: "") { $0 += $1.isUppercase ? separator + $1.lowercased() : String($1) }
    }
}

extension JSONError {
    /// What is wrong, as a sentence without the location.
    package var problem: String {
        switch reason {
        case .repeatedKey(let key): "the key \(key.quoted) stands twice in one object"
        case .cutOff: "the line is cut off: the value does not end"
        case .other(let sentence): sentence
        }
    }
}

extension UInt8 {
    /// Whether a shell takes the byte as itself wherever it occurs in a word; a tilde is a folder of a user where it comes first.
    fileprivate var isPlainInShell: Bool {
        self >= 0x80 || isDigit || "._-/,:@%+".utf8.contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
