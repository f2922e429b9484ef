/// The absolute path of the directory that relative paths begin at; nil where it is gone.
package func workingDirectory() -> String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
}
