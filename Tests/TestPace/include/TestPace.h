// Linked into every bundle of tests; there is nothing to call.
