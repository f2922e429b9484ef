import ProjectDoctor
import Testing

@Suite struct MeasurementTests {
    private func note(_ bytes: Int) -> [Measurement.Value] { [Measurement.Value(field: "title", bytes: bytes, isAsset: false)] }

    @Test func sizesAddUpByTypeAndField() {
        var measurement = Measurement(source: "s")
        measurement.add("1", of: "Note", note(10) + [Measurement.Value(field: "photo", bytes: 5000, isAsset: true)])
        measurement.add("2", of: "Note", note(30))
        measurement.add("1", of: "Tag", note(1))
        #expect(measurement.total == (3, 5041))
        #expect(measurement.records["Note"]?.largest == 30, "assets are beside the record")
        #expect(measurement.records["Note"]?.largestRecord == "2")
        #expect(measurement.largestFields.map { $0.type + "." + $0.name } == ["Note.photo", "Note.title", "Tag.title"])
        #expect(measurement.largestFields.first?.field.isAsset == true)
    }

    @Test func growthNeedsAWeek() {
        var measurement = Measurement(source: "s")
        measurement.addWritten(700, day: 100)
        measurement.addWritten(700, day: 105)
        #expect(measurement.bytesPerMonth == nil)
        measurement.addWritten(700, day: 106)
        #expect(measurement.bytesPerMonth == 9000)
    }

    @Test func nineTenthsOfALimitAreNearAndSevenAreNot() {
        func findings(_ bytes: Int) -> Int {
            var (fixture, measurement) = (DoctorFixture(), Measurement(source: "s"))
            measurement.add("1", of: "Note", note(bytes))
            fixture.measurements = [measurement]
            return fixture.diagnosis().findings.count
        }
        #expect(findings(700_000) == 0)
        #expect(findings(900_000) == 1)
    }

    @Test func adviceIsWeighedByWhatALogHasLost() {
        var (fixture, measurement) = (DoctorFixture(), Measurement(source: "notes.jsonl"))
        fixture.replace(
            "var isPinned: Bool = false", with: "var isPinned: Bool = false\n    var tagNames: [String] = []", in: "Notes/Models.swift")
        fixture.replace("CD_isPinned     INT64,", with: "CD_isPinned     INT64,\n CD_tagNames BYTES,", in: "Notes.ckdb")
        measurement.losses = [Measurement.Loss(type: "Note", field: "tagNames", edits: 12, shape: .set)]
        fixture.measurements = [measurement]
        let findings = fixture.diagnosis().findings
        #expect(findings.map(\.rule) == ["losses.list"], "told once")
        #expect(findings.first?.message.hasSuffix("12 edits of it were lost in notes.jsonl") == true)
    }
}
