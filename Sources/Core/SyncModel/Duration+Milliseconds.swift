extension Duration {
    /// The duration in whole milliseconds, rounded toward zero; the nearest `Int64` where it fits none.
    package var wholeMilliseconds: Int64 {
        // Beyond these bounds the components may not fit an `Int64` either, and asking for them would trap.
        if self >= .milliseconds(Int64.max) { return .max }
        if self <= .milliseconds(Int64.min) { return .min }
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
