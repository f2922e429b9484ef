import FileFormats
import Testing

@testable import ProjectDoctor

@Suite struct SwiftTokensTests {
    private func tokens(_ source: String) -> [String] {
        let result = SwiftTokens(Array(source.utf8))
        return result.tokens.dropLast().map { String(decoding: result.bytes[$0.range], as: UTF8.self) }
    }

    private func problems(_ source: String) -> [FormatError] { SwiftTokens(Array(source.utf8)).problems }

    @Test(arguments: [
        ("let a = 1", ["let", "a", "=", "1"]),
        ("a/* x /* y */ } */b", ["a", "b"]),
        ("a // }\nb", ["a", "b"]),
        ("#!/bin/swift {\nb", ["b"]),
        ("\u{feff}b", ["b"]),
        ("`class` = `a b`", ["`class`", "=", "`a b`"]),
        ("1...2", ["1", "...", "2"]),
        ("a..<b", ["a", "..<", "b"]),
        ("x.0.1", ["x", ".", "0", ".", "1"]),
        ("1.5e-3 0x1p+4 1_000.0", ["1.5e-3", "0x1p+4", "1_000.0"]),
        ("1.description", ["1", ".", "description"]),
        ("[A<B<C>>]", ["[", "A", "<", "B", "<", "C", ">", ">", "]"]),
        ("a: Int?=b", ["a", ":", "Int", "?=", "b"]),
        ("a>=b<=c", ["a", ">=", "b", "<=", "c"]),
        ("a ?? b!", ["a", "??", "b", "!"]),
        ("f()?.g", ["f", "(", ")", "?", ".", "g"]),
        ("(A)->B", ["(", "A", ")", "->", "B"]),
        ("a += 1; b -= 2; c &+= 3", ["a", "+=", "1", ";", "b", "-=", "2", ";", "c", "&+=", "3"]),
        ("@Model #Unique $0 \\.a", ["@", "Model", "#Unique", "$0", "\\", ".", "a"]),
        ("#if a\n#elseif b\n#else\n#endif", ["#if", "a", "#elseif", "b", "#else", "#endif"]),
        ("größe = naïve", ["größe", "=", "naïve"]),
        ("a +/* x */b", ["a", "+", "b"]),
    ])
    func splits(_ source: String, _ expected: [String]) {
        #expect(tokens(source) == expected)
        #expect(problems(source).isEmpty)
    }

    @Test(arguments: [
        #""""#, #""a\"b""#, #""\\""#, #""a \(b) c""#, #""\(f("x", g(")")))""#, #""\("\("\(deep)")")""#, ##"#"a\n"b"#"##,
        ##"#"\#(f(")"))"#"##,
        ##"#"""#"##, ##"#""""#"##, ###"##"a"#b"##"###, "\"\"\"\n a \"quoted\" \"\" \\\"\"\" x\n \"\"\"",
        "\"\"\"\n \\(f(\"\"\"\n ) \n\"\"\"))\n\"\"\"",
        "#\"\"\"\n \\(x \"\"\" \n\"\"\"#", "\"a \\(\n b\n) c\"", "\"\\(a /* ) \" */)\"", #""{ } /* // @Model class A {""#,
    ])
    func keepsAStringWhole(_ literal: String) {
        #expect(tokens("x(\(literal)) }") == ["x", "(", literal, ")", "}"])
    }

    @Test(arguments: [
        ("a = /x{2}\"/", "/x{2}\"/"), ("f(/[/]\\/(a)/)", nil), ("f(/\\/(a|b)}/)", "/\\/(a|b)}/"), ("return /{/", "/{/"),
        ("a = #/ \"{ / /#", "#/ \"{ / /#"), ("a = ##/ /# {/##", "##/ /# {/##"), ("a = #/\n { \" \n/#", "#/\n { \" \n/#"),
        ("\n/a}/", "/a}/"),
    ])
    func findsARegularExpression(_ source: String, _ expected: String?) {
        let regex = SwiftTokens(Array(source.utf8)).tokens.first { $0.kind == .regex }
        if let expected {
            #expect(
                regex.map { SwiftFixtures.string(source, from: $0.offset).hasPrefix(expected) && $0.range.count == expected.utf8.count }
                    == true)
        }
        #expect(!source.contains("}") || source.contains("[/]") || problems(source).isEmpty)
    }

    @Test(arguments: ["a / b / c", "(a / b) + (c / d)", "a/b/c", "x[0]/y/z", "f() / 2 / 3", "(/, /)", "reduce(1, /)", "a\n / b\n / c"])
    func findsNoRegularExpressionInADivision(_ source: String) {
        #expect(!SwiftTokens(Array(source.utf8)).tokens.contains { $0.kind == .regex })
    }

    @Test(arguments: [
        ("let a = \"x\nvar b", 8, 6), ("let a = \"\"\"\nvar b", 8, 6), ("let a = #/x\nvar b", 8, 6), ("a /* /* */ b", 2, 1),
        ("`a\nvar b", 0, 3), ("let a = \"\\(x\nvar b", 8, 6),
    ])
    func goesOnAfterWhatHasNoEnd(_ source: String, _ offset: Int, _ count: Int) {
        #expect(problems(source).map(\.offset) == [offset])
        #expect(tokens(source).count == count)
    }

    @Test(arguments: [
        ("{ ( ] }", 2), ("{ ( }", 1), (")", 1), ("{", 1), ("#if a\n{", 2), ("#endif", 1), ("} }", 2), ("([)]", 2), ("()[]{}", 0),
    ])
    func reportsBracketsWithoutPartners(_ source: String, _ expected: Int) {
        #expect(problems(source).count == expected)
        for token in SwiftTokens(Array(source.utf8)).tokens where token.isOpening { #expect(token.partner > 0) }
    }

    @Test func joinsABraceOfBothBranches() {
        let result = SwiftTokens(Array("#if a\nif x {\n#else\nif y {\n#endif\n}\nz".utf8))
        #expect(result.problems.isEmpty)
        let open = result.tokens.filter { $0.kind == .openBrace }
        let close = result.tokens.firstIndex { $0.kind == .closeBrace }
        let end = result.tokens.lastIndex { $0.kind == .condition }
        #expect(open.map { Int($0.partner) } == [close, end])
    }
}
