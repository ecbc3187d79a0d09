# What other kernels call (features.py).

cpdef void write_repeats(
    const int[:, ::1] blocks, const int[::1] start, const int[::1] stop, const float[:, ::1] own,
    bint is_foreign, unsigned long long secret, int[::1] slots, double[:, ::1] reals, const double[::1] logs,
    float[:, ::1] x, Py_ssize_t at
) except *
