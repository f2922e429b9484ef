/// Reads bytes from an offset of an open file on, fewer at its end.
package func readBytes(_ descriptor: Int32, at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = 0
        while filled < count {
            let done = unsafe pread(
                descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(offset) + off_t(filled))
            if done < 0, errno == EINTR { continue }
            if done < 0 { failure = .last }
            if done <= 0 { break }
            filled += done
        }
    }
    if let failure { throw failure }
    return bytes
}

/// The names in a directory, in no order.
package func namesInDirectory(_ path: String) throws(Errno) -> [String] {
    guard let stream = unsafe opendir(path) else { throw .last }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
        }
        names.append(name)
    }
    return names
}

/// `write(2)`, under a name that hides no method of a caller.
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// `read(2)`, likewise.
package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

/// `close(2)`, likewise.
package func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

/// `rename(2)`, likewise.
package func systemRename(_ old: String, to new: String) throws(Errno) {
    guard unsafe rename(old, new) == 0 else { throw .last }
}
