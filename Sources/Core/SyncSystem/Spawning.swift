/// Starts a program, without a shell; no signal is blocked there, whatever the calling thread blocks.
///
/// - Parameters:
///   - program: Its path, or a name without a slash that is looked for on the path.
///   - arguments: What it is given behind its name.
///   - environment: Its variables, each as `NAME=value`.
///   - streams: Open descriptors of this process, each with the one that it becomes there.
///   - inheritsOthers: Whether it has whatever else this process has open and has not marked to be closed.
///   - defaultSignals: Signals that act on it as they do by default, whatever this process does with them.
/// - Returns: The number of the process, which the caller waits for.
/// - Throws: The error of the call, `ENOENT` where there is no such program, `ENOTSUP` where the system lets no app start any.
package func spawn(
    _ program: String, _ arguments: [String], environment: [String], streams: [(descriptor: Int32, stream: Int32)],
    inheritsOthers: Bool = true, defaultSignals: [Int32] = []
) throws(Errno) -> pid_t {
    #if os(macOS) || !canImport(Darwin)
        #if canImport(Darwin)
            // Opaque pointers there, structures elsewhere. Source: <spawn.h> of both.
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, stream) in streams { unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, stream) }
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        if !inheritsOthers {
            #if canImport(Darwin)
                flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
            #else
                // What is closed already is passed over; the call that closes all of them is kept from Swift.
                for descriptor in 3..<min(1024, getdtablesize()) { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
            #endif
        }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        // Threads of a library block them all, and a program that started so could not be ended, nor hear of the end of those that it
        // starts.
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in defaultSignals { unsafe sigaddset(&signals, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var identifier: pid_t = 0
        let error = unsafe posix_spawnp(&identifier, program, &actions, &attributes, &words, &variables)
        guard error == 0 else { throw Errno(number: error) }
        return identifier
    #else
        throw Errno(number: ENOTSUP)
    #endif
}

/// The variables of this process, each as `NAME=value`; none where the system lets no app start programs.
package func processEnvironment() -> [String] {
    var variables: [String] = []
    #if os(macOS)
        // No header declares `environ`. Source: <crt_externs.h>.
        var next = unsafe _NSGetEnviron().pointee
    #elseif canImport(Darwin)
        var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    #else
        var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe environ
    #endif
    while let pointer = unsafe next, let variable = unsafe pointer.pointee {
        unsafe variables.append(String(cString: variable))
        unsafe next = pointer + 1
    }
    return variables
}

/// Waits for the end of a process that this one started.
///
/// - Returns: The exit status, or 128 and the number of the signal that ended it.
package func waitForProcess(_ identifier: pid_t) -> Int32 {
    var code: Int32 = 0
    while unsafe waitpid(identifier, &code, 0) < 0, errno == EINTR {}
    let signal = code & 0x7f
    return signal == 0 ? (code >> 8) & 0xff : 128 + signal
}
