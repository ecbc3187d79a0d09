# What other kernels call (features.py).

cpdef Py_ssize_t write_own(
    const unsigned char[::1] utf8, const int[::1] start, const int[::1] stop, const unsigned char[::1] shapes,
    const unsigned long long[::1] facts, const int[:, ::1] blocks, const int[:, ::1] sums,
    const float[:, ::1] own, const int[:, ::1] elements, const double[::1] logs, int[:, ::1] headings,
    float[:, ::1] x, Py_ssize_t own_at, Py_ssize_t place_at
) except -1
