#ifndef CATOMIC_SHIM_H
#define CATOMIC_SHIM_H

#include <stdbool.h>
#include <stdint.h>

// What a signal handler may look at while others change it. Swift's own atomics are not there before macOS 15 and iOS 18.
static inline intptr_t atomic_word_load(const intptr_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

static inline void atomic_word_store(intptr_t *word, intptr_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

static inline intptr_t atomic_word_exchange(intptr_t *word, intptr_t value) { return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST); }

static inline bool atomic_word_compare_exchange(intptr_t *word, intptr_t expected, intptr_t desired) {
    return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#endif
