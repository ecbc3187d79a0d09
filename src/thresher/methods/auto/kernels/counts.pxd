# What other kernels call (features.py).

cpdef void sum_texts(
    const long long[:, ::1] counted, const unsigned char[::1] seen, const unsigned char[::1] in_link,
    const int[::1] owner, const short[::1] tag, const unsigned long long[::1] facts, bint is_foreign,
    const int[:, ::1] blocks, int[:, ::1] sums, float[:, ::1] own
) except *
