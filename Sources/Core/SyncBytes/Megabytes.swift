extension Int {
    /// A number of bytes in megabytes of 1,000,000 bytes, as limits are given, or in kilobytes where it is less than one; with one decimal
    /// where there is one.
    package var megabytes: String {
        // Rounded without a sum that could overflow.
        if self < 999_950 { return Self.decimal(self / 100 + (self % 100 >= 50 ? 1 : 0)) + " kB" }
        return Self.decimal(self / 100_000 + (self % 100_000 >= 50_000 ? 1 : 0)) + " MB"
    }

    private static func decimal(_ tenths: Int) -> String { tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)" }
}
