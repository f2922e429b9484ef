import ConflictAudit
import SyncModel
import SyncObservation

func observe(_ log: some AuditSink, installation: String, path: String) throws {
    var configuration = SyncObserver.Configuration(device: "k3f9", installation: installation)
    configuration.levels["Card"] = .fieldStamps(["title": "titleStamp"])
    let observer = try SyncObserver(configuration, shadow: .file(path: path), sink: log)

    let key = RecordKey(type: "Card", id: "1")
    var change = LocalChange(key, .put(["title": "Plan"]), isNew: true)
    let stamps = try observer.stamps(for: change)  // set these attributes in the same save
    change.operation = .put(["title": "Plan", "titleStamp": stamps["titleStamp"] ?? .null])
    try observer.saved([change], transaction: 41)
    try observer.exportBegan()
    try observer.arrived([Arrival(key, .put(["title": "Draft"]), transaction: 42)])
}
