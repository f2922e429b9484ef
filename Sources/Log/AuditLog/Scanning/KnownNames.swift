/// The numbers of short names that have come up before, each where a few of its bytes say.
///
/// Most names of a line are among some hundreds, which are found here in fewer steps than in the table that numbers them. Where two fall
/// together, the later one is; the table knows the other.
struct KnownNames {
    /// What a name is the name of.
    enum Kind: UInt64 {
        case device
        case recordType
        case field
        /// A version of the app; with an owner, the loser's of a pair of versions.
        case app
    }

    private struct Name: BitwiseCopyable {
        var first: UInt64 = 0
        var last: UInt64 = 0
        /// Owner, kind and length; no name has all ones.
        var rest = UInt64.max
        var number = 0
    }

    private let names = Memory(repeating: Name(), count: 2048)

    /// The number that a name has in a table, a new one where it is new.
    @inline(__always) func number(of text: LineCursor.Text, owner: Int = 0, _ kind: Kind, in table: inout NameTable) -> Int {
        // All bytes of a short one.
        let (first, last) = text.ends
        let rest = UInt64(truncatingIfNeeded: owner) << 32 | kind.rawValue << 30 | UInt64(truncatingIfNeeded: text.count)
        let index = Int(truncatingIfNeeded: (((first ^ rest) &* 0x9e37_79b9_7f4a_7c15 ^ last) &* 0x9e37_79b9_7f4a_7c15) >> 53)
        let name = names[index]
        if (name.first ^ first) | (name.last ^ last) | (name.rest ^ rest) == 0, text.count <= 16 { return name.number }
        return learn(Name(first: first, last: last, rest: rest), at: index, text, owner, in: &table)
    }

    @inline(never) private func learn(
        _ name: Name, at index: Int, _ text: LineCursor.Text, _ owner: Int, in table: inout NameTable
    ) -> Int {
        var name = name
        name.number = table.number(of: text, owner: owner)
        if text.count <= 16 { names[index] = name }
        return name.number
    }
}
