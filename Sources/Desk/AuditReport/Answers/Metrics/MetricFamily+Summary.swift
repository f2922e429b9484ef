package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

extension MetricFamily {
    /// Everything that a summary counts, as metrics.
    ///
    /// Proven and suspected conflicts are told apart by the label `certainty`. A breakdown by names from data has at most so many series:
    /// those that lost most, then those with most conflicts; how many are left out is a metric itself, and the totals count all. Those that
    /// have been written stay, whatever others have come to lose.
    ///
    /// - Parameter history: What has been written before.
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    package static func all(of summary: Summary, maximumSeries: Int, after history: CounterHistory? = nil) -> [MetricFamily] {
        let tallies = [("proven", summary.proven), ("suspected", summary.suspected)]
        var writes = MetricFamily("syncaudit_writes", .counter, "Writes observed.")
        writes.add([:], summary.writes.count)
        var contextless = MetricFamily(
            "syncaudit_writes_without_context", .counter,
            "Writes that do not say what their writer had seen, so that nothing of them can be proven.")
        if let count = summary.writes.countWithContext { contextless.add([:], max(0, summary.writes.count - count)) }
        var unaudited = MetricFamily(
            "syncaudit_unaudited_writes", .gauge, "Writes in which nobody has looked for conflicts, so that 0 conflicts says nothing.")
        unaudited.add([:], summary.evidence.isUnaudited ? summary.writes.count : 0)
        var dropped = MetricFamily("syncaudit_log_lines_dropped", .counter, "Lines that logs say could not be written.")
        dropped.add([:], summary.linesDropped)
        var families = [writes, contextless, unaudited, dropped]
        families += totals(tallies) + breakdowns(tallies) + times(tallies)

        var omitted = MetricFamily("syncaudit_series_omitted", .gauge, "Series left out of a breakdown, to keep their number bounded.")
        func bounded(_ family: MetricFamily, _ rows: [Row]) {
            var family = family
            let known = history?.series(of: family.name) ?? []
            var room = max(0, maximumSeries - known.count)
            var left = 0
            for row in rows.ordered(by: Row.precedes) {
                let isKnown = known.contains(row.labels)
                if isKnown || room > 0 { family.add(row.labels, row.value) } else { left += 1 }
                if !isKnown, room > 0 { room -= 1 }
            }
            families.append(family)
            omitted.add(["breakdown": family.name], left)
        }
        let (conflicts, losses) = (rows(tallies, \.conflicts), rows(tallies, \.losses))
        bounded(
            MetricFamily("syncaudit_field_conflicts", .counter, "Conflicts by field; of the whole record where there is no field."),
            conflicts)
        bounded(
            MetricFamily("syncaudit_field_edits_lost", .counter, "Edits lost by field; of the whole record where there is no field."),
            losses)
        bounded(
            MetricFamily("syncaudit_device_edits_lost", .counter, "Edits lost by the device that had made them."),
            deviceRows(tallies) { $0.byLosingDevice.mapValues(\.losses) })
        bounded(
            MetricFamily("syncaudit_device_clock_suspect_conflicts", .counter, "Conflicts that a device may have won by a wrong clock."),
            deviceRows(tallies) { $0.clockSuspectByWinningDevice })
        bounded(
            MetricFamily(
                "syncaudit_app_conflicts", .counter, "Conflicts by the versions of the app that won and lost, empty where not told."),
            appRows(tallies, \.conflicts))
        bounded(
            MetricFamily("syncaudit_app_edits_lost", .counter, "Edits lost by the versions of the app that won and lost."),
            appRows(tallies, \.losses))
        let health = health(summary)
        families += health.totals
        for (family, rows) in health.breakdowns { bounded(family, rows) }
        return families + [omitted]
    }

    private static func appRows(_ tallies: [(String, ConflictTally)], _ value: KeyPath<ConflictTally.Count, Int>) -> [Row] {
        tallies.flatMap { certainty, tally in
            tally.byAppPair.filter { $0.value[keyPath: value] > 0 }.map { pair, count in
                let labels = [
                    Label(name: "certainty", value: certainty), Label(name: "winning_app", value: pair.winner),
                    Label(name: "losing_app", value: pair.loser),
                ]
                return Row(labels: labels, value: .count(count[keyPath: value]), losses: count.losses, conflicts: count.conflicts)
            }
        }
    }

    private static func totals(_ tallies: [(String, ConflictTally)]) -> [MetricFamily] {
        ConflictStatistics.Counter.Topic.allCases.flatMap { topic in
            ConflictStatistics.counters.filter { $0.topic == topic }.compactMap { counter in
                guard let metric = counter.metric else { return nil }
                var family = MetricFamily("syncaudit_" + metric.name, topic == .decision ? .gauge : .counter, metric.help)
                for (certainty, tally) in tallies { family.add(["certainty": certainty], tally.statistics[keyPath: counter.value]) }
                return family
            }
        }
    }

    private static func breakdowns(_ tallies: [(String, ConflictTally)]) -> [MetricFamily] {
        ConflictStatistics.breakdowns.map { breakdown in
            var family = MetricFamily("syncaudit_conflicts_by_" + breakdown.label, .counter, breakdown.help)
            for (certainty, tally) in tallies {
                // All of them, so that a series is there before its first conflict.
                for word in breakdown.words {
                    family.add(["certainty": certainty, breakdown.label: word], breakdown.count(word, tally.statistics) ?? 0)
                }
            }
            return family
        }
    }

    private static func times(_ tallies: [(String, ConflictTally)]) -> [MetricFamily] {
        var gaps = MetricFamily("syncaudit_conflict_gap_seconds", .gauge, "Time between the two writes of a conflict, by percentile.")
        var last = MetricFamily("syncaudit_last_conflict_timestamp_seconds", .gauge, "When the latest conflict came to be.")
        for (certainty, tally) in tallies {
            for (name, gap) in percentiles(of: tally.statistics.gaps) { gaps.add(["certainty": certainty, "percentile": name], gap) }
            if let date = tally.statistics.lastConflictMilliseconds { last.add(["certainty": certainty], .milliseconds(date)) }
        }
        return [gaps, last]
    }

    /// A series of a breakdown and how much it matters.
    struct Row {
        let labels: [Label]
        let value: Value
        let losses: Int
        let conflicts: Int

        /// Whether it comes before another: by what was lost, by conflicts, by name.
        static func precedes(_ left: Row, _ right: Row) -> Bool {
            let (mine, theirs) = ((left.losses, left.conflicts), (right.losses, right.conflicts))
            guard mine == theirs else { return mine > theirs }
            return Label.precede(left.labels, right.labels)
        }
    }

    private static func rows(_ tallies: [(String, ConflictTally)], _ value: KeyPath<ConflictTally.Count, Int>) -> [Row] {
        tallies.flatMap { certainty, tally in
            tally.byField.filter { $0.value[keyPath: value] > 0 }.map { key, count in
                let labels = [
                    Label(name: "certainty", value: certainty), Label(name: "record_type", value: key.type.rawValue),
                    Label(name: "field", value: key.field?.rawValue ?? ""),
                ]
                return Row(
                    labels: labels, value: .count(count[keyPath: value]), losses: count.losses, conflicts: count[keyPath: value])
            }
        }
    }

    private static func deviceRows(_ tallies: [(String, ConflictTally)], _ counts: (ConflictTally) -> [DeviceID: Int]) -> [Row] {
        tallies.flatMap { certainty, tally in
            counts(tally).filter { $0.value > 0 }.map { device, count in
                let labels = [Label(name: "certainty", value: certainty), Label(name: "device", value: device.rawValue)]
                return Row(labels: labels, value: .count(count), losses: count, conflicts: 0)
            }
        }
    }
}
