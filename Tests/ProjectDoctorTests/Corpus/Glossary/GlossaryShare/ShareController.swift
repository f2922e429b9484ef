import SwiftData
import UIKit

@Model
final class Term {
    var word: String = ""
    var meaning: String = ""
    var added: Date = Date.now

    init(word: String) {
        self.word = word
    }
}

@MainActor
final class ShareController: UIViewController {
    private lazy var container = try? ModelContainer(for: Term.self)

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        guard let item = extensionContext?.inputItems.first as? NSExtensionItem, let word = item.attributedContentText?.string else {
            return
        }
        container?.mainContext.insert(Term(word: word))
        try? container?.mainContext.save()
        extensionContext?.completeRequest(returningItems: nil)
    }
}
