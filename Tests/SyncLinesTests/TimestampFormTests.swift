import SyncBytes
import SyncModel
import Testing

@testable import SyncLines

@Suite struct TimestampFormTests {
    private func read(_ value: FieldValue, as option: String) throws -> String {
        let form = try #require(option.isEmpty ? .rfc3339 : TimestampForm(optionName: option))
        do throws(LineError) {
            return RFC3339.string(milliseconds: try form.milliseconds(value, named: "\"ts\""))
        } catch {
            return error.problem
        }
    }

    private static let noon = "2026-01-15T12:00:00.000Z"

    @Test(arguments: [
        ("seconds", FieldValue.number(JSONNumber(1_768_478_400))), ("seconds", .string("1768478400")), ("seconds", .string("1768478400.0")),
        ("milliseconds", .number(JSONNumber(1_768_478_400_000))), ("apple", .string("790171200")), ("utc", .string("2026-01-15 12:00:00")),
        ("utc", .string("2026-01-15T12:00")), ("+02:00", .string("2026-01-15 14:00:00.000")), ("-0530", .string("2026-01-15 06:30:00")),
        ("+02", .string("2026-01-15 14:00:00")), ("iso", .string("2026-01-15 14:00:00+02")), ("iso", .string("2026-01-15 14:00+0200")),
        ("iso", .string("2026-01-15 12:00:00 UTC")), ("iso", .string("2026-01-15 12:00:00 +00:00")),
        // What has a zone is not moved by another.
        ("+02:00", .string("2026-01-15T12:00:00Z")), ("seconds", .string("2026-01-15T13:00:00+01:00")),
        ("", .string("2026-01-15T12:00:00Z")),
    ])
    func aTimeIsReadAsItsFormSays(option: String, value: FieldValue) throws {
        #expect(try read(value, as: option) == Self.noon)
    }

    @Test func fractionsOfASecondAreKeptToTheMillisecond() throws {
        #expect(try read(.string("1768478400.1239"), as: "seconds") == "2026-01-15T12:00:00.124Z")
        #expect(try read(.string("-0.5"), as: "seconds") == "1969-12-31T23:59:59.500Z")
    }

    @Test(arguments: [
        ("", FieldValue.number(JSONNumber(1_768_478_400)), "--times seconds' takes it as 2026-01-15T12:00:00.000Z"),
        ("iso", .string("1768478400000"), "--times milliseconds' takes it as 2026-01-15T12:00:00.000Z"),
        ("utc", .string("790171200"), "--times apple' takes it as 2026-01-15T12:00:00.000Z"),
        ("iso", .string("-17"), "says what it counts"),
        ("iso", .string("2026-01-15 12:00:00"), "without a time zone: 'syncaudit audit --times utc'"),
        ("seconds", .string("2026-01-15 12:00:00"), "without a time zone"),
        // A log's own format stays strict.
        ("", .string("2026-01-15T12:00Z"), "not a date that exists"),
        ("utc", .string("2026-02-30 12:00:00"), "not a date that exists"), ("utc", .string(""), "not a date that exists"),
        ("seconds", .string("1e300"), "out of the years 0000 to 9999"), ("seconds", .string("nan"), "not a date that exists"),
        ("seconds", .bool(true), "must be a timestamp, not true"), ("iso", .string("2026-01-15 12:00:00+99"), "not a date that exists"),
    ])
    func whatATimeMeansIsNotGuessed(option: String, value: FieldValue, problem: String) throws {
        #expect(try read(value, as: option).contains(problem))
    }

    @Test(arguments: ["", "second", "2", "+", "+2", "+25:00", "Europe/Berlin", "+02:0x", "+02:00:00"])
    func aFormHasAName(_ name: String) {
        #expect(TimestampForm(optionName: name) == nil)
    }
}
