import AuditReport
import Testing

@Suite struct ChartTests {
    @Test(
        arguments: [
            (0, 8, ""), (-1, 8, ""), (0.5, 0, ""), (1, 4, "████"), (2, 4, "████"), (0.5, 4, "██"), (0.5, 1, "▌"), (0.0001, 4, "▏"),
            (0.625, 2, "█▎"),
        ] as [(Double, Int, String)]) func barsAreDrawnToAnEighth(_ share: Double, _ width: Int, _ bar: String)
    {
        #expect(Chart.bar(share, width: width) == bar)
    }

    @Test func stylesAreAppliedOnlyWhereTheyAreOn() {
        let on = TerminalStyle(isEnabled: true)
        let off = TerminalStyle(isEnabled: false)
        let styled = [on.bold("x"), on.dim("x"), on.red("x"), on.green("x"), on.yellow("x"), on.cyan("x")]
        #expect(styled == [1, 2, 31, 32, 33, 36].map { "\u{1b}[\($0)mx\u{1b}[0m" })
        #expect(on.red("") == "")
        #expect([off.bold("x"), off.dim("x"), off.red("x"), off.green("x"), off.yellow("x"), off.cyan("x")].allSatisfy { $0 == "x" })
    }
}
