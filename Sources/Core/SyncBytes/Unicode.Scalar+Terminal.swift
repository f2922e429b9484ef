extension Unicode.Scalar {
    /// Whether a terminal or a text field shows the character without acting on it: no control characters, no line separators, none
    /// that reorder text.
    package var isHarmlessOnTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7f...0x9f: false
        case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: false
        default: true
        }
    }

    /// Whether a terminal shows the character and does nothing else: what cannot be seen makes two names look like one.
    ///
    /// Spaces without width, joiners, byte order marks, fillers, variation selectors and tags cannot. Source: the property
    /// Default_Ignorable_Code_Point and the general category Cf of the Unicode Character Database.
    package var isVisibleOnTerminal: Bool {
        if value < 0x7f { return value >= 0x20 }
        return isHarmlessOnTerminal && !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .format
    }
}
