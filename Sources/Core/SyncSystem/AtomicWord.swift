import CAtomic

/// A number that threads and signal handlers may read and change at any time, without ever waiting.
///
/// Its memory is never freed, so that a handler may look at it however late it comes.
@safe
package struct AtomicWord: @unchecked Sendable {
    // Sound: what is pointed at is reached by atomic operations alone, and is never freed.
    private let word: UnsafeMutablePointer<Int>

    package init(_ value: Int) {
        unsafe word = .allocate(capacity: 1)
        unsafe word.initialize(to: value)
    }

    package var value: Int {
        get { unsafe atomic_word_load(word) }
        nonmutating set { unsafe atomic_word_store(word, newValue) }
    }

    /// Sets a value and returns the one before.
    package func exchange(_ value: Int) -> Int { unsafe atomic_word_exchange(word, value) }

    /// Sets a value where the one before is as expected, and returns whether it was.
    package func compareExchange(expected: Int, desired: Int) -> Bool { unsafe atomic_word_compare_exchange(word, expected, desired) }
}
