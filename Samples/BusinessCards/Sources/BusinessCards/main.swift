import Foundation
import SyncMerge

// The scenarios that a developer of a syncing app fears, played on real stores and a real hub, with what the audit says of each.
//
//     swift run --package-path Samples/BusinessCards

print("Two offline edits of one card, to different fields")
try await Stage.play(differentFields)

print("\nA delete against an edit")
try await Stage.play(deleteAgainstEdit)

print("\nAn hour offline, five edits, property-level merge")
try await Stage.play(hourOffline)

print("\nThe same hour under record-level last-writer-wins")
try await Stage.play(rules: MergeRules(standard: .record(.lastWriterWins)), hourOffline)

print("\nVerification matrix")
let rows = try await VerificationMatrix.play()
print("  " + column("case", 30) + column("expected", 34) + column("seen on the tablet", 52) + "met")
for row in rows { print("  " + column(row.name, 30) + column(row.expected, 34) + column(row.seen, 52) + (row.isMet ? "yes" : "NO")) }
exit(rows.allSatisfy(\.isMet) ? 0 : 1)
