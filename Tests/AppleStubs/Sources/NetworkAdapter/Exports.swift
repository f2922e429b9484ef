// The file beside this one belongs to that module, whose other files it uses.
@_exported public import SyncMonitoring
