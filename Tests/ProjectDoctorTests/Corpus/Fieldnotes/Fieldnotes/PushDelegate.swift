import CloudKit
import UIKit

final class PushDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        guard CKNotification(fromRemoteNotificationDictionary: userInfo) != nil else { return .noData }
        NotificationCenter.default.post(name: .observationsChanged, object: nil)
        return .newData
    }
}

extension Notification.Name {
    static let observationsChanged = Notification.Name("observationsChanged")
}
