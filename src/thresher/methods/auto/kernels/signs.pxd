# What other kernels call (features.py).

cpdef void write_signs(
    const unsigned char[::1] utf8, const int[::1] start, const int[::1] stop, const int[:, ::1] blocks,
    const int[:, ::1] sums, const float[:, ::1] own, const int[:, ::1] elements, const int[::1] fields,
    unsigned char[::1] marks, double[:, ::1] reals, const double[::1] logs, float[:, ::1] x, Py_ssize_t at
) except *
