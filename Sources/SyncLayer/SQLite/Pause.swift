#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Waits for about ten milliseconds, so that another process gets on.
func pauseBriefly() {
    usleep(10_000)
}
