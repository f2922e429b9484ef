import Testing

@testable import AuditReport

@Suite("Charts of block characters")
struct ChartTests {
    @Test(
        "A bar is exact to an eighth, and rare is not never",
        arguments: [
            (0, 8, ""), (1, 8, "████████"), (0.5, 8, "████"), (0.5, 3, "█▌"), (1.0 / 64, 8, "▏"), (0.000_001, 8, "▏"), (7, 2, "██"),
            (-1, 8, ""),
            (.nan, 8, ""), (.infinity, 2, "██"), (1, 0, ""), (1, -1, ""), (15.0 / 16, 2, "█▉"),
        ] as [(Double, Int, String)])
    func bar(share: Double, width: Int, drawn: String) {
        #expect(Chart.bar(share, width: width) == drawn)
    }

    @Test(
        "A sparkline is scaled to its largest value, and a blank means 0",
        arguments: [
            ([], ""), ([0, 0], "  "), ([1], "█"), ([0, 1, 1000], " ▁█"), ([1, 2, 3, 4, 5, 6, 7, 8], "▂▃▄▅▆▇██"), ([-5, 5], " █"),
            ([.max, .max / 2], "█▅"),
        ] as [([Int], String)])
    func sparkline(values: [Int], drawn: String) {
        #expect(Chart.sparkline(values) == drawn)
    }
}
