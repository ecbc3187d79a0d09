# What other kernels call (features.py).

cpdef void write_containers(
    const int[:, ::1] blocks, const int[:, ::1] sums, const float[:, ::1] own, const int[:, ::1] elements,
    int[:, ::1] ints, double[:, ::1] reals, const double[::1] logs, float[:, ::1] x, Py_ssize_t at
) except *
