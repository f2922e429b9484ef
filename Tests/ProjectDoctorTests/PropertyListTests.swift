import FileFormats
import ProjectDoctor
import SyncOracle
import Testing

struct PropertyListTests {
    /// The list in short: strings in quotes, numbers, `true`, `date`, `data(n)`, lists in brackets and braces.
    static func short(_ list: PropertyList) -> String {
        switch list.value {
        case .string(let text): "\"\(text)\""
        case .number(let text): text
        case .bool(let flag): "\(flag)"
        case .date: "date"
        case .data(let text): "data(\(text))"
        case .array(let elements): "[" + elements.map(short).joined(separator: ", ") + "]"
        case .dictionary(let entries): "{" + entries.map { "\($0.key): \(short($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    static func result(_ bytes: [UInt8]) -> String {
        do throws(FormatError) {
            return short(try PropertyList.parse(bytes))
        } catch {
            return "\(error.offset): \(error.sentence)"
        }
    }

    static func result(_ text: String) -> String { result(Array(text.utf8)) }

    @Test func xmlListsAreParsed() {
        #expect(
            Self.result(ReaderFixtures.xml)
                == #"{name: "A & B A<c>", list: [-7, 1.5, true, false, date], data: data(AAEC Aw==), empty: "", inner: {}}"#)
    }

    @Test func aBinaryListIsToBeConverted() {
        #expect(Self.result("bplist00\u{1}") == "0: the property list is binary; 'plutil -convert xml1' makes it XML, which is read")
    }

    @Test func openStepListsAreParsed() {
        let text = #"""
            // A comment.
            { a = b; "c d" = ( 1, 'e"f', /* g */ <0fb d>, ); h/i.j-k_$ = { }; l = "\"\\\n\U00e4\Ud83d\Ude00\Ud83d\101\q"; é = ü; }
            """#
        #expect(
            Self.result(text)
                == "{a: \"b\", c d: [\"1\", \"e\"f\", data(0fb d)], h/i.j-k_$: {}, l: \"\"\\\nä😀\u{fffd}Aq\", é: \"ü\"}")
    }

    @Test func offsetsAreThoseOfKeysAndValues() throws {
        let open = try PropertyList.parse(Array("{ a = (b); }".utf8))
        #expect(open.entry("a")?.keyOffset == 2)
        #expect(open["a"]?.offset == 6)
        #expect(open["a"]?.elements.first?.offset == 7)
        let xml = try PropertyList.parse(Array("<plist><dict><key>a</key><true/></dict></plist>".utf8))
        #expect(xml.entry("a")?.keyOffset == 13)
        #expect(xml["a"]?.offset == 25)
    }

    @Test(
        arguments: [
            ("", "0: the file is empty"), (" \n", "2: the file is empty"),
            ("<plist><dict><string/></dict></plist>", "13: the element \"string\" where a key is expected"),
            ("<plist><dict><key>a</key></dict></plist>", "25: the key \"a\" has no value"),
            ("<plist><array><key>a</key></array></plist>", "14: a key where a value is expected"),
            ("<plist><set/></plist>", "7: the element \"set\" is no value of a property list"),
            ("<plist/>", "8: the property list holds no value"), ("<plist><true/><true/></plist>", "14: a second value at the top"),
            ("<plist><integer>x</integer></plist>", "7: \"x\" is no number"),
            ("<plist><string><b/></string></plist>", "15: the element \"b\" inside a value"),
            ("<plist>x</plist>", "7: characters between the values of a property list"),
            ("{ a = b }", "8: \"}\" where a ; after a value is expected"), ("{ a = ", "6: the file ends where a string is expected"),
            ("{ a b", "4: \"b\" where a = after the key \"a\" is expected"),
            ("( a b )", "4: \"b\" where a comma or ) after an element is expected"),
            ("{ a = \"b; }", "6: a string that is not closed"), ("{ a = b; } c", "11: \"c\" where the end of the file is expected"),
            ("{ /* a", "2: a comment that is not closed"), ("<12", "0: data that is not closed"),
            ("<1>", "0: data of an odd number of digits"),
            ("{\n<<<<<<< HEAD\n}", "2: a conflict of a merge that was not resolved"),
            ("(\n<<<<<<< HEAD\n)", "2: a conflict of a merge that was not resolved"),
        ])
    func errorsSayWhatWasFound(text: String, error: String) {
        #expect(Self.result(text) == error)
    }

    @Test func utf16IsAnError() {
        #expect(Self.result([0xfe, 0xff, 0, 0x7b]) == "0: the property list is in UTF-16; only UTF-8 is read")
    }

    @Test func listsInsideEachOtherAreLimited() {
        let text = String(repeating: "(", count: 100_000)
        #expect(Self.result(text) == "512: more than 512 lists inside each other")
        let xml = "<plist>" + String(repeating: "<array>", count: 9000)
        #expect(Self.result(xml).hasSuffix("more than 512 lists inside each other"))
        let fine = String(repeating: "(", count: 512) + String(repeating: ")", count: 512)
        #expect(Self.result(fine).count == 1024)
    }

    @Test func listsCutOffAnywhereAreErrors() {
        for bytes in [
            Array("{a = (b, <00>, \"c\\n\"); /* d */ e = {f = g;};}".utf8), Array(ReaderFixtures.xml.utf8.dropLast(2)),
        ] {
            for count in 0..<bytes.count {
                let result = Self.result(Array(bytes[..<count]))
                #expect(result.prefix { $0.isNumber }.count > 0, "\(count): \(result)")
            }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func changedBytesNeverCrash(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let fixtures = [ReaderFixtures.xml, ReaderFixtures.pbxproj, "bplist00"].map { Array($0.utf8) }
        for _ in 0..<histories(120, of: 500) {
            for fixture in fixtures { _ = Self.result(ReaderFixtures.mutated(fixture, &random)) }
        }
    }
}
