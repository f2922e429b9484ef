/// The keys of the screen.
enum LiveHelp {
    /// All keys by what they are for.
    static let sections: [(title: String, keys: [(key: String, words: String)])] = [
        (
            "Move",
            [
                ("Tab, Shift-Tab", "to the next panel, to the one before; the heading of the panel in which keys act is marked"),
                ("Up Down, j k", "by a row"), ("PgUp PgDn, Space", "by a page"), ("Home End, g G", "to the first row, to the last"),
                ("s, S", "sorts the panel by something else, the other way round; its heading says how it is sorted"),
                ("t", "jumps to a time: 2h for two hours ago, 2026-01-15 or 2026-01-15T14:00:00Z"),
                ("q, Ctrl-C", "leaves; on a page, q and Esc lead back"),
            ]
        ),
        (
            "Find and filter the latest losses",
            [
                ("/", "only losses with these letters in their record, its name, field, device or id; !letters for those without"),
                ("+, -", "only losses with what the row is about, or only those without; of a loss the next key says what is meant"),
                ("Enter", "in a panel of counts: as +"), ("Esc", "takes the last filter away"),
                ("u", "undoes the last filter, sorting, jump or restoration"),
            ]
        ),
        (
            "Look closer",
            [
                ("Enter", "shows the loss: who wrote what, what won and why"),
                ("v", "shows the record's story: all writes, who had seen what, what is shown now"),
                ("l, o", "shows the line of the log, as it is there"),
                ("y", "copies the id of the loss, or the record's name from its story"),
                ("h", "all devices, by what they need somebody for"), ("f", "freezes the screen while counting goes on"),
            ]
        ),
        (
            "Restore",
            [
                ("r", "proposes the line that gives the lost value back, and asks for the file that it is appended to"),
                ("u", "takes the line out of the file again, as long as it is the last one there"),
            ]
        ),
    ]

    /// The most important keys, the most important first.
    static let hints = [
        "? help", "q quit", "Tab panel", "↑↓ Enter show", "/ find", "+ - filter", "r restore", "u undo", "s sort", "t time", "v record",
        "l line", "y copy", "f freeze", "h devices",
    ]
}
