/// Draws numbers with block characters.
package enum Chart {
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    /// A horizontal bar, to an eighth of a column.
    ///
    /// What is more than nothing shows at least a sliver.
    ///
    /// - Parameters:
    ///   - share: The part of the width to fill, from 0 to 1; anything beyond is cut.
    ///   - width: The columns of a full bar.
    package static func bar(_ share: Double, width: Int) -> String {
        guard share > 0, width > 0 else { return "" }
        let units = max(1, Int(min(share, 1) * Double(width * 8) + 0.5))
        let whole = String(repeating: "█", count: units / 8)
        return units % 8 == 0 ? whole : whole + String(eighths[units % 8 - 1])
    }
}
