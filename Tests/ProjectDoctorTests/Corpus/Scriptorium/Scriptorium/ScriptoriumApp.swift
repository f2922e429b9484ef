import SwiftUI

@main
struct ScriptoriumApp: App {
    var body: some Scene {
        DocumentGroup(newDocument: Manuscript.init) { file in
            TextEditor(text: file.$document.text)
        }
    }
}
