/// Members of a line that mean nothing to a reader of any event.
enum OtherMembers {
    /// Among them such as begin like a key that means something, or that such a key begins like.
    static let keys = [
        "x", "", " ", "V", "N", "devic", "devices", "device ", "nn", "hubSequenc", "hubSequences", "recordTypes", "Event", "trace_id",
        "a key of many more bytes than any other", "\u{e9}", "\u{1f600}", "{", ",", ":", "[]",
    ]

    /// Of every kind, long and short.
    static let values = [
        "null", "true", "false", "0", "-0", "-1.25", "12345678901234567890", String(repeating: "7", count: 300), #""""#, #""a""#,
        #"" \u00e9\n\"\\ ,\"n\":1""#, "\"\u{e9}\u{1f600}\"", "\"\(String(repeating: "long ", count: 40))\"", "[]", "[ ]", "{}", "{ }",
        #"[1,[2,{"a":[]}],"b"]"#, #"{"device":"a","n":0,"x":{"x":{"x":[{},{}]}}}"#,
        String(repeating: "[", count: 20) + String(repeating: "]", count: 20),
    ]

    /// None of them is JSON that this package accepts.
    static let brokenValues = [
        "", "nul", "True", "01", "-", "1.", ".5", "+1", "1e", "1e999", String(repeating: "9", count: 400), #"""#, #""\x""#, #""\ud800""#,
        "\"\u{1}\"", "[", "[1", "[1,]", "]", "{", "}", #"{"a"}"#, #"{"a":1,}"#, #"{a:1}"#, #"{"a":1,"a":1}"#, #"{"b":[{"a":1,"a":1}]}"#,
        #"{"\u0061":1,"a":1}"#, "1 2", "1,", String(repeating: "[", count: 256) + String(repeating: "]", count: 256),
    ]
}
