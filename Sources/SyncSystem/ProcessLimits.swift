import CMalloc

/// Has the allocator ask the system for much memory at a time, and keep it: threads other than the first get theirs page by page otherwise.
///
/// Does nothing where the allocator is not glibc's.
package func allocateInLargeSteps() {
    #if canImport(Glibc)
        mallopt(M_TOP_PAD, 64 << 20)
        // The most that glibc takes.
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, .max)
        // Pieces up to this size are freed without a lock, whichever thread took them: writes are decoded by one and freed by another.
        mallopt(M_MXFAST, 160)
    #endif
}

/// Raises the number of files that may be open to the most that the system allows.
package func allowManyFiles() {
    #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(resource, &limit)
}
