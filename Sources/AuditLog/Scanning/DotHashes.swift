/// The hashes of the devices that wrote lately, so that a name is hashed byte by byte once and not in each of its lines.
///
/// Bounded: after ``limit`` names it begins anew, so that names that occur once cost nothing.
struct DotHashes {
    private static let limit = 4096

    private var names = NameTable()
    private var hashes: [DotHash] = []

    /// The hash of the dots of a device.
    mutating func hash(of device: LineCursor.Text) -> DotHash {
        let number = names.number(of: device)
        if number < hashes.count { return hashes[number] }
        let hash = unsafe DotHash(bytes: device.bytes)
        if hashes.count == Self.limit { self = DotHashes() } else { hashes.append(hash) }
        return hash
    }
}
