/// What became of the edits that the two sides of a decision carry.
///
/// A put that names the value that its writer was shown is no edit, as when a form is saved whole: it carries the edits of the writes that
/// showed it that value. Any other write carries itself.
package struct CarriedEdits: Hashable, Sendable {
    /// Whether the winner's writer had seen every edit that the losing write carries, so that its loss takes nothing from anybody.
    package var isLoserKnown = false
    /// Whether the winner is no edit, the loser carries one that the winner's writer had not seen, and the loser's writer had seen all that
    /// the winner carries: a stale copy put an old value back.
    package var isStale = false
    /// Whether each edit that the winner's writer had not seen has been told of as lost before.
    package var isRepeated = false

    /// Whether the two differ in nothing but fields that nobody edits.
    package var isBookkeeping = false

    /// Nothing is known.
    package init() {}
}
