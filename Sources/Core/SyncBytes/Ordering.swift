extension Sequence {
    /// Returns the elements sorted, equal ones in the order in which they came.
    ///
    /// The library's `sorted(by:)` is compiled anew for each type of element, 5 KB of code every time; where a few elements are put in
    /// order for a report, this one does, which is compiled once and compares elements through their type's description.
    ///
    /// - Complexity: O(*n* log *n*) comparisons, each of some 50 ns more than the library's: where there may be millions, ask the library.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return elements.indices.sorted { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}
