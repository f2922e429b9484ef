/// The rows in which a store keeps lost edits, by numbers that rise; that of the number 0 counts them.
package protocol LostEditRows {
    /// The row of a number; nil where there is none.
    func lostEditRow(_ number: UInt64) throws -> [UInt8]?

    /// The rows before a number, or all, from the highest number down to 1.
    func lostEditRows(before number: UInt64?, limit: Int) throws -> [(number: UInt64, content: [UInt8])]
}

/// The same while they are being changed.
package protocol LostEditRowWriter: LostEditRows {
    func setLostEditRow(_ number: UInt64, _ content: [UInt8]) throws
    func removeLostEditRow(_ number: UInt64) throws
}
