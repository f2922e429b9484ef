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
    var limit = rlimit()
    guard unsafe getrlimit(openFiles, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(openFiles, &limit)
}

/// The limit of open files, as the C library wants it named.
#if canImport(Glibc)
    private var openFiles: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
#else
    private var openFiles: Int32 { RLIMIT_NOFILE }
#endif

/// How many files the process may have open; the largest number where it does not say.
package func mostOpenFiles() -> Int {
    var limit = rlimit()
    return unsafe getrlimit(openFiles, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
}

/// Whether more bytes of memory are in use than a limit: as many as the allocator has given out, or, where it does not say, as the process
/// ever held.
///
/// Costs a microsecond where the process never held that much, and more the more the allocator has to walk through.
package func usesMoreMemory(than limit: Int) -> Bool {
    guard mostBytesHeld() > limit else { return false }
    let given = Int(clamping: bytes_given_out())
    return given == 0 || given > limit
}

/// The most bytes of memory that the process ever held.
private func mostBytesHeld() -> Int {
    var usage = rusage()
    #if canImport(Glibc)
        let process = __rusage_who_t(RUSAGE_SELF.rawValue)
    #else
        let process = RUSAGE_SELF
    #endif
    guard unsafe getrusage(process, &usage) == 0 else { return .max }
    #if canImport(Darwin)
        return usage.ru_maxrss
    #else
        return usage.ru_maxrss * 1024
    #endif
}

/// How many bytes of memory the process may use: those of the machine, or of the container that it runs in where that has fewer.
package func bytesOfMemory() -> Int {
    let pages = Int(sysconf(Int32(_SC_PHYS_PAGES)))
    let machine = max(pages, 1) * max(Int(sysconf(Int32(_SC_PAGESIZE))), 1)
    #if os(Linux)
        guard let limit = firstNumber(of: "/sys/fs/cgroup/memory.max") else { return machine }
        return min(machine, limit)
    #else
        return machine
    #endif
}

#if os(Linux)
    /// The number that a file begins with; nil where it does not, as one of no limit.
    private func firstNumber(of path: String) -> Int? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let bytes = try? readBytes(descriptor, at: 0, count: 32) else { return nil }
        return Int(String(decoding: bytes.prefix { (48...57).contains($0) }, as: UTF8.self))
    }
#endif
