import SyncLayer
