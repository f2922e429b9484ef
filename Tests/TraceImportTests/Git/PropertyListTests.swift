import SyncModel
import Testing

@testable import TraceImport

@Suite struct PropertyListTests {
    private func parse(_ text: String) -> FieldValue? { FieldValue(propertyList: Array(text.utf8)) }

    @Test(
        arguments: [
            ("<plist><dict><key>a</key><integer>1</integer></dict></plist>", ["a": 1]),
            ("<dict><key>a</key><array><string>x</string><true/><false></false></array></dict>", ["a": ["x", true, false]]),
            ("<dict><key>&lt;&#65;&#x42;&amp;</key><string>a<![CDATA[<b>]]>c<!-- no --></string></dict>", ["<AB&": "a<b>c"]),
            ("<?xml?><!DOCTYPE x \"y\"><!-- <dict> --><plist version='1'>\n<dict/></plist>", [:]),
            ("<dict><key/><real>1.5</real><key>d</key><date>2026-01-01T00:00:00Z</date></dict>", ["": 1.5, "d": "2026-01-01T00:00:00Z"]),
        ] as [(String, FieldValue)]) func whatIsRead(_ text: String, _ value: FieldValue)
    {
        #expect(parse(text) == value)
    }

    @Test(arguments: [
        "", "<", "<plist>", "<plist/>", "<dict>", "<dict><key>a</key></dict>", "<dict><key>a<key></dict>",
        "<dict><string>a</string></dict>",
        "<dict><key>a</key><integer>x</integer></dict>", "<dict><key>a</key><string>&bomb;</string></dict>", "bplist00", "<dict></array>",
        "<dict><key>a</key><true/><key>a</key><true/></dict>", "<string>&#xffffffff;</string>",
        String(repeating: "<array>", count: 100_000),
    ]) func whatIsNot(_ text: String) {
        #expect(parse(text) == nil)
    }

    @Test func anyCutOfAListIsNoCrash() {
        let text = "<?xml?><plist><dict><key>a&amp;</key><array><string>x<![CDATA[y]]></string><integer>1</integer></array></dict></plist>"
        for length in 0..<text.utf8.count - 15 { #expect(FieldValue(propertyList: Array(text.utf8.prefix(length))) == nil) }
    }
}
