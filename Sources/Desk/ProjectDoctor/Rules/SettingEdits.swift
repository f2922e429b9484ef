import SyncBytes

extension Evidence {
    /// The lines that set a variable such as `$(APS_ENVIRONMENT)` in the `.xcconfig` files of some entitlements' configurations.
    ///
    /// - Returns: Nil where a configuration has no such file, or an empty one, or shares it with one that needs another value.
    func settingEdits(_ variable: String, of entitlements: [Entitlements]) -> [TextEdit]? {
        guard let name = variable.variableName else { return nil }
        var values: [String: Bool] = [:]
        for configuration in entitlements.map(\.configuration) {
            guard let path = configuration.settingsFile, settingsFiles[path]?.bytes.isEmpty == false,
                values[path] ?? configuration.isDebug == configuration.isDebug
            else { return nil }
            values[path] = configuration.isDebug
        }
        // Others may be based on the file too.
        for configuration in project.targets.flatMap(\.configurations) {
            guard let path = configuration.settingsFile, let isDebug = values[path] else { continue }
            if isDebug != configuration.isDebug { return nil }
        }
        return values.ordered { $0.key < $1.key }.compactMap { path, isDebug in
            guard let file = settingsFiles[path] else { return nil }
            let line = "\(name) = \(isDebug ? "development" : "production")"
            // Behind the last line, before the line break that ends it.
            guard file.bytes.last == UInt8(ascii: "\n") else {
                return TextEdit(path: path, range: file.bytes.count..<file.bytes.count, text: "\n" + line)
            }
            let isCarried = file.bytes.dropLast().last == UInt8(ascii: "\r")
            let end = file.bytes.count - (isCarried ? 2 : 1)
            return TextEdit(path: path, range: end..<end, text: (isCarried ? "\r\n" : "\n") + line)
        }
    }

    /// The changes that put a variable where entitlements have a literal, and set it for every target and configuration that uses the file.
    func variableEdits(_ entitlements: Entitlements, key: String, value: String) -> [TextEdit] {
        let name = "APS_ENVIRONMENT"
        let all = self.entitlements.filter { $0.file?.path == entitlements.file?.path }
        guard all.allSatisfy({ $0.configuration[name] == nil && $0.configuration[key] == nil }),
            let literal = entitlements.replacing(key, value, with: "$(\(name))"), let settings = settingEdits("$(\(name))", of: all)
        else { return [] }
        return [literal] + settings
    }
}

extension String {
    /// The name in `$(NAME)` or `${NAME}`; nil for anything else.
    fileprivate var variableName: String? {
        guard hasPrefix("$(") && hasSuffix(")") || hasPrefix("${") && hasSuffix("}") else { return nil }
        let name = dropFirst(2).dropLast()
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isName ? String(name) : nil
    }
}
