import SwiftData
import SwiftUI

struct TermList: View {
    @Query(sort: \Term.word) private var terms: [Term]

    var body: some View { List(terms) { LabeledContent($0.word, value: $0.meaning) } }
}
