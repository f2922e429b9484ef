/// The public pages of Apple that rules come from, without their scheme.
enum ApplePage {
    private static let documentation = "developer.apple.com/documentation/"

    static let model = documentation + "coredata/creating-a-core-data-model-for-cloudkit"
    static let records = documentation + "coredata/reading-cloudkit-records-for-core-data"
    static let dataTypes = documentation + "coredata/handling-different-data-types-in-core-data"
    static let storeChanges = documentation + "coredata/consuming-relevant-store-changes"
    static let syncedModels = documentation + "swiftdata/syncing-model-data-across-a-persons-devices"
    /// TN3164.
    static let debugging = documentation + "technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer"
    static let schemaMigration = "developer.apple.com/videos/play/wwdc2022/10120"

    static let database = documentation + "cloudkit/designing-and-creating-a-cloudkit-database"
    static let container = documentation + "cloudkit/ckcontainer/init(identifier:)"
    static let record = documentation + "cloudkit/ckrecord"
    static let asset = documentation + "cloudkit/ckasset"
    static let accounts = documentation + "cloudkit/ckcontainer/accountstatus(completionhandler:)"
    static let savePolicy = documentation + "cloudkit/ckmodifyrecordsoperation/recordsavepolicy"
    static let conflicts = documentation + "cloudkit/ckerror/code/serverrecordchanged"
    static let shares = documentation + "cloudkit/ckshare"
    static let subscriptions = documentation + "cloudkit/remote-records"
    static let schemaFiles = documentation + "cloudkit/integrating-a-text-based-schema-into-your-workflow"
    static let configuration = documentation + "swiftdata/modelconfiguration"
    static let deletedStores = documentation + "swiftdata/modelcontainer/deletealldata()"
    static let coordinator = documentation + "coredata/nspersistentstorecoordinator"
    static let storeDescriptions = documentation + "coredata/setting-up-core-data-with-cloudkit"
    static let requestLimit = documentation + "cloudkit/ckerror/code/limitexceeded"
    static let quota = documentation + "cloudkit/ckerror/code/quotaexceeded"
    static let sizes =
        "developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/PropertyMetrics.html"

    static let containerIdentifiers = documentation + "bundleresources/entitlements/com.apple.developer.icloud-container-identifiers"
    static let containerEnvironment = documentation + "bundleresources/entitlements/com.apple.developer.icloud-container-environment"
    static let pushes = documentation + "bundleresources/entitlements/aps-environment"
    static let services = documentation + "bundleresources/entitlements/com.apple.developer.icloud-services"
    static let keyValueStore = documentation + "bundleresources/entitlements/com.apple.developer.ubiquity-kvstore-identifier"
    static let sharingSupported = documentation + "bundleresources/information-property-list/cksharingsupported"
    static let groupFolder = documentation + "foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)"
}
