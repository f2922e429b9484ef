/// How the rows of one table are to be understood, as a configuration says it: what the options of the same names say of all.
///
/// ```swift
/// let settings = TableSettings(map: ["device": "changed_by"], keeps: "whole")
/// ```
package struct TableSettings: Hashable, Sendable {
    /// Which column is what, by the keys of `--map`, or behind a colon what is so in all rows.
    package var map: [String: String] = [:]
    /// The columns that are fields; none for all that are nothing else.
    package var fields: [String] = []
    package var keeps: String?
    package var times: String?
    package var empty: String?
    /// Where it is in the file, as sentences call it.
    package var origin = ""
}
