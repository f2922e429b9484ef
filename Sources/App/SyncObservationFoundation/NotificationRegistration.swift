package import Foundation

/// A registration with the default notification center, which ends with it.
package final class NotificationRegistration: @unchecked Sendable {
    // Sound: it is set once, and the notification center takes it back from any thread.
    private let token: any NSObjectProtocol

    /// Calls a body for every notification of a name, on the thread that posts it.
    package init(_ name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: body)
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
