package import AuditAnalysis

/// How much a table at a terminal shows, and how it looks.
package struct PageLayout: Sendable {
    /// How many rows a breakdown shows before it adds up the rest; at least 1.
    let top: Int
    /// Colours and weights, or none.
    let style: TerminalStyle
    /// The columns of the terminal; at least 40.
    let width: Int
    /// What people call records.
    let names: RecordNames
    /// What is said right below the headline, or why nothing is.
    let alarms: ReportAlarms

    /// A layout.
    ///
    /// - Parameters:
    ///   - top: How many rows a breakdown shows; less than 1 counts as 1.
    ///   - style: Colours and weights; none unless given.
    ///   - width: The columns of the terminal; fewer than 40 count as 40.
    ///   - names: What people call records; nothing unless given.
    ///   - alarms: What is said right below the headline, or why nothing is.
    package init(
        top: Int = 10, style: TerminalStyle = TerminalStyle(isEnabled: false), width: Int = 80,
        names: RecordNames = .none, alarms: ReportAlarms = .none
    ) {
        self.top = max(top, 1)
        self.style = style
        self.width = max(width, 40)
        self.names = names
        self.alarms = alarms
    }
}
