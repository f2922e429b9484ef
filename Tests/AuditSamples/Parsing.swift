import SyncBytes
package import SyncModel

/// Parses bytes that hold one JSON object.
package func parse(_ bytes: [UInt8]) throws -> FieldMap {
    struct NoObject: Error {}
    guard let object = try JSONParser.parse(bytes.span).object else { throw NoObject() }
    return object
}
