#include <stddef.h>

#ifdef __linux__
#include <malloc.h>
#endif

#ifdef __APPLE__
#include <malloc/malloc.h>
#endif

// The bytes that the allocator has given out; 0 where it does not say.
static inline size_t bytes_given_out(void) {
#if defined(__APPLE__)
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return statistics.size_in_use;
#elif defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}
