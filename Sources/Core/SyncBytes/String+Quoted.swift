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

    /// The string as one word of a shell's command line.
    package var shellWord: String {
        let plain = utf8.allSatisfy { byte in
            byte >= 0x80 || byte.isDigit || "._-/,:@%+~".utf8.contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        if plain, !isEmpty { return escaped(for: .terminal) }
        return enclosed(in: "'", escapedAs: #"'\''"#).escaped(for: .terminal)
    }

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
