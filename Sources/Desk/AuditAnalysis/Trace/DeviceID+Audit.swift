package import SyncModel

extension DeviceID {
    /// Who a line says has logged it, where the audit of a trace did and no device.
    package static let auditOfTrace: DeviceID = "syncaudit"
}
