public import SyncModel
