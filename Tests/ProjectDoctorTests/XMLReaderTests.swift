import FileFormats
import ProjectDoctor
import Testing

struct XMLReaderTests {
    /// The events in short, and the sentence of the error that ended them.
    private static func events(_ text: String) -> [String] { events(Array(text.utf8)) }

    private static func events(_ bytes: [UInt8]) -> [String] {
        var reader = XMLReader(bytes)
        var result: [String] = []
        do throws(FormatError) {
            while let event = try reader.next() {
                switch event {
                case .start(let name, let attributes, let offset):
                    result.append("<\(name)\(attributes.map { " \($0.name)=\($0.value)@\($0.offset)" }.joined())@\(offset)")
                case .end(let name, let offset): result.append("/\(name)@\(offset)")
                case .text(let text, let offset): result.append("\(text)@\(offset)")
                }
            }
        } catch {
            result.append("\(error.offset): \(error.sentence)")
        }
        return result
    }

    @Test func startsEndsAndAttributesHaveTheirOffsets() {
        #expect(Self.events("<a b='1' c = \"2\"><d/>x</a>\n") == ["<a b=1@3 c=2@9@0", "<d@17", "/d@17", "x@21", "/a@22"])
    }

    @Test func theByteOrderMarkIsPassedOver() {
        #expect(Self.events("\u{feff}<a/>") == ["<a@3", "/a@3"])
    }

    @Test func entitiesAreReplaced() {
        #expect(Self.events("<a b='&lt;&#65;\n'>&amp;&gt;&quot;&apos;&#x1F600;\r\n</a>") == ["<a b=<A @3@0", "&>\"'😀\n@18", "/a@50"])
    }

    @Test func commentsInstructionsAndDocumentTypesArePassedOver() {
        let text = "<?xml version='1.0'?><!-- <a> --><!DOCTYPE a [ <!ENTITY e \"]>\"> <!-- ]> --> <?x ]> ?> ]><a><!--x--><![CDATA[<&]]></a>"
        #expect(Self.events(text) == ["<a@88", "<&@99", "/a@113"])
    }

    @Test(
        arguments: [
            ("<a>&e;</a>", "3: the entity \"e\" is not one of the five of XML, and others are not expanded"),
            ("<a>&#0;</a>", "3: the entity \"#0\" is no Unicode scalar"),
            ("<a>&#xD800;</a>", "3: the entity \"#xD800\" is no Unicode scalar"),
            ("<a>& </a>", "3: an & that begins no entity"), ("<a></b>", "3: the end tag \"b\" is inside the element \"a\""),
            ("</b>", "0: the end tag \"b\" has no start tag"), ("<a>", "3: the document ends inside the element \"a\""),
            ("", "0: the document holds no element"), ("<a/><b/>", "4: a second element at the top"),
            ("<a/>x", "4: characters outside of all elements"), ("<a b>", "4: the attribute \"b\" has no value"),
            ("<a b=c>", "5: the value of the attribute \"b\" is not in quotes"),
            ("<a b='c>", "6: the value of the attribute \"b\" is not closed"), ("<a", "0: the tag \"a\" is not closed"),
            ("<a b='1'c='2'/>", "8: white space is missing before an attribute of \"a\""), ("<!-- a", "0: a comment is not closed"),
            ("<a><![CDATA[", "3: a CDATA section is not closed"), ("<!DOCTYPE a [", "0: the document type is not closed"),
            ("<a>< b/></a>", "3: a < that begins no tag"),
        ])
    func errorsSayWhatWasFound(text: String, error: String) {
        #expect(Self.events(text).last == error)
    }

    @Test func otherEncodingsAreErrors() {
        #expect(Self.events([0xff, 0xfe, 0x3c, 0]) == ["0: the document is in UTF-16; only UTF-8 is read"])
        #expect(Self.events([0, 0x3c, 0, 0x61]) == ["0: the document is in UTF-16; only UTF-8 is read"])
        #expect(Self.events([0x3c, 0x61, 0x3e, 0xe4, 0x3c]).last == "3: bytes that are not UTF-8")
    }

    @Test func anErrorIsThrownAgain() {
        var reader = XMLReader(Array("<a></b></a>".utf8))
        _ = try? reader.next()
        for _ in 0..<3 { #expect(throws: FormatError(at: 3, "the end tag \"b\" is inside the element \"a\"")) { try reader.next() } }
    }

    @Test func aHundredThousandLevelsAreAnError() {
        let text = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
        #expect(Self.events(text).last == "30000: more than 10000 elements inside each other")
        let fine = String(repeating: "<a>", count: 10_000) + String(repeating: "</a>", count: 10_000)
        #expect(Self.events(fine).count == 20_000)
    }

    @Test func anAttributeIsFoundByItsName() throws {
        var reader = XMLReader(Array("<a b='1' b='2'/>".utf8))
        guard case .start(_, let attributes, _) = try reader.next() else { throw FormatError(at: 0, "a start") }
        #expect(attributes["b"] == "1")
        #expect(attributes["c"] == nil)
    }
}
