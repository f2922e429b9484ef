#ifndef CVECTOR_SHIM_H
#define CVECTOR_SHIM_H

typedef signed char vector_bytes __attribute__((vector_size(16)));
typedef _Bool vector_bits __attribute__((ext_vector_type(16)));

// The sign of each of 16 bytes as a bit, the first byte's lowest: one instruction where a processor has it. Swift's vectors cannot say it.
static inline __attribute__((always_inline)) unsigned short vector_signs(vector_bytes bytes) {
    vector_bits bits = __builtin_convertvector(bytes < 0, vector_bits);
    unsigned short result;
    __builtin_memcpy(&result, &bits, sizeof result);
    return result;
}

#endif
