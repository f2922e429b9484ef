/// A log of conflicts over fields and between devices whose names want to do harm.
package enum HarmfulNames {
    /// Its lines.
    package static let log: String = {
        let world = TestWorld()
        let trace =
            Trace.put("a", at: 0, #"{"v":5}"#) + Trace.put("b", at: 60, #"{"v":3}"#)
            + Trace.put("a", 2, at: 70, "2", #"{"=HYPERLINK(\"x\")":1,"é\u001b]0;x":1}"#)
            + Trace.put("\\u001b[2J\\\"", at: 80, "2", #"{"=HYPERLINK(\"x\")":2,"é\u001b]0;x":2}"#)
        try? world.pipe(trace)
        _ = world.run("audit", "--statistics", "-")
        return world.found.joined(separator: "\n") + "\n"
    }()
}
