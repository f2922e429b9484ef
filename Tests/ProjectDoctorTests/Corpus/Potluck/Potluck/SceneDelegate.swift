import CloudKit
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func windowScene(_ scene: UIWindowScene, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata) {
        guard let store = Persistence.shared.sharedStore else { return }
        Persistence.shared.container.acceptShareInvitations(from: [metadata], into: store) { _, error in
            if let error { print(error) }
        }
    }
}
