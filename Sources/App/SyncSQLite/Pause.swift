import SyncSystem

/// Waits for about ten milliseconds, so that another process gets on.
func pauseBriefly() {
    usleep(10_000)
}
