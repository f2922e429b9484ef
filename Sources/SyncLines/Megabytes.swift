extension Int {
    /// A number of bytes in megabytes of 1,000,000 bytes, as limits are given, or in kilobytes where it is less than one; with one decimal where there is one.
    package var megabytes: String {
        if self < 999_950 { return Self.decimal((self + 50) / 100) + " kB" }
        return Self.decimal((self + 50_000) / 100_000) + " MB"
    }

    private static func decimal(_ tenths: Int) -> String { tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)" }
}
