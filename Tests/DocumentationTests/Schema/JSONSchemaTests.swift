import DocumentationPages
import SyncBytes
import SyncModel
import Testing

@Suite struct JSONSchemaTests {
    private func isValid(_ value: String, _ schema: String) throws -> Bool {
        var schema = try JSONSchema(schema)
        return schema.problems(with: try JSONParser.parse(value)).isEmpty
    }

    /// A schema, a value that it allows and values that it does not.
    private static let examples: [(schema: String, allowed: String, refused: [String])] = [
        (#"{"type":"integer"}"#, "1", ["1.5", "\"1\"", "null", "true"]),
        (#"{"type":"boolean"}"#, "false", ["0", "\"false\""]),
        (#"{"type":"string"}"#, "\"\"", ["1", "[]"]),
        (#"{"type":"object"}"#, "{}", ["[]", "null"]),
        (#"{"type":"array"}"#, "[]", ["{}"]),
        (#"{"const":1}"#, "1", ["2", "\"1\"", "true"]),
        (#"{"enum":["a","b"]}"#, "\"b\"", ["\"c\"", "1"]),
        (#"{"minimum":1,"maximum":3}"#, "3", ["0", "4"]),
        (#"{"minLength":1}"#, "\"é\"", ["\"\""]),
        (#"{"pattern":"^[0-9a-f]{2}$"}"#, "\"0f\"", ["\"0F\"", "\"0f0\"", "\"x0f\""]),
        (#"{"pattern":"b"}"#, "\"abc\"", ["\"ac\""]),
        (#"{"required":["a"]}"#, #"{"a":null}"#, ["{}", #"{"A":1}"#]),
        (#"{"properties":{"a":{"type":"integer"}}}"#, #"{"a":1,"b":"x"}"#, [#"{"a":"x"}"#]),
        (#"{"properties":{"a":false}}"#, "{}", [#"{"a":1}"#]),
        (#"{"properties":{"a":true},"additionalProperties":false}"#, #"{"a":1}"#, [#"{"a":1,"b":1}"#]),
        (#"{"additionalProperties":{"type":"integer"}}"#, #"{"x":1}"#, [#"{"x":"1"}"#]),
        (#"{"propertyNames":{"enum":["a"]}}"#, #"{"a":1}"#, [#"{"b":1}"#]),
        (#"{"dependentRequired":{"a":["b"]}}"#, #"{"b":1}"#, [#"{"a":1}"#]),
        (#"{"items":{"type":"integer"}}"#, "[1,2]", ["[1,\"2\"]"]),
        (#"{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}"#, "[\"1\",2]", ["[1,2]", "[\"1\",\"2\"]"]),
        (#"{"minItems":1,"maxItems":2}"#, "[1]", ["[]", "[1,2,3]"]),
        (#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, "2", ["0", "4"]),
        (#"{"oneOf":[{"minimum":1},{"maximum":3}]}"#, "0", ["2"]),
        (#"{"if":{"minimum":5},"then":{"maximum":6},"else":{"minimum":1}}"#, "1", ["0", "7"]),
        (#"{"if":{"minimum":5},"else":{"minimum":1}}"#, "7", ["0"]),
        (##"{"$defs":{"a":{"const":1}},"properties":{"x":{"$ref":"#/$defs/a"}}}"##, ##"{"x":1}"##, [##"{"x":2}"##]),
        // A reference does not take the place of what stands beside it.
        (##"{"$defs":{"a":{"minimum":1}},"$ref":"#/$defs/a","maximum":3}"##, "2", ["0", "4"]),
    ]

    @Test(arguments: examples) func words(schema: String, allowed: String, refused: [String]) throws {
        #expect(try isValid(allowed, schema))
        for value in refused { #expect(try !isValid(value, schema), "\(value)") }
    }

    @Test(arguments: [
        #"{"patternProperties":{}}"#, #"{"properties":{"a":{"unevaluatedProperties":false}}}"#, #"{"type":["string"]}"#,
        #"{"type":"text"}"#,
        ##"{"$ref":"#/$defs/none"}"##, ##"{"pattern":"("}"##, ##"{"minimum":"1"}"##, ##"{"items":[1]}"##, ##"{"allOf":{}}"##, "[]",
        #"{"if":{"format":"date"}}"#, #"{"requierd":["a"]}"#,
    ]) func whatIsNotKnownIsRefused(schema: String) {
        #expect(throws: JSONSchema.Refusal.self) { try JSONSchema(schema) }
    }

    @Test func itTellsWhichPropertiesWereMet() throws {
        var schema = try JSONSchema(
            ##"{"properties":{"a":{"$ref":"#/$defs/d"},"b":true},"$defs":{"d":{"properties":{"c":true}}},"if":{"properties":{"a":true}}}"##)
        #expect(schema.properties == ["#/properties/a", "#/properties/b", "#/$defs/d/properties/c"])
        #expect(schema.problems(with: ["a": ["c": 1]]) == [])
        #expect(schema.properties.subtracting(schema.metProperties) == ["#/properties/b"])
    }

    @Test func aProblemNamesItsPlace() throws {
        var schema = try JSONSchema(#"{"properties":{"a":{"required":["b"]}}}"#)
        #expect(schema.problems(with: ["a": [:]]) == ["/a/b is missing"])
    }
}
