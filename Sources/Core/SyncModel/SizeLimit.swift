/// What CloudKit takes; a megabyte is 1,000,000 bytes.
package enum SizeLimit {
    /// The bytes of a record beside its assets.
    package static let record = 1_000_000
    /// The bytes of an asset.
    package static let asset = 50_000_000
    /// The bytes of iCloud that a person has for nothing, for all apps, backups and photos together: the private database is kept there.
    ///
    /// More than a pointer of 32 bits can count.
    package static let freeStorage: Int64 = 5_000_000_000
    /// The bytes that may wait to be sent.
    package static let waiting = 3_000_000
}
