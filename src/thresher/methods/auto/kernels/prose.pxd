# What other kernels call (features.py).

cpdef void write_prose(
    const int[:, ::1] blocks, const int[:, ::1] sums, const float[:, ::1] own, const int[:, ::1] elements,
    double[:, ::1] reals, const double[::1] logs, Py_ssize_t[::1] run, float[:, ::1] x, Py_ssize_t at
) except *
