# What other kernels call (features.py).

cpdef void write_vocabulary(
    const Py_ssize_t[::1] block, const Py_ssize_t[::1] bucket, const Py_ssize_t[::1] title,
    const Py_ssize_t[::1] run, const double[::1] rarity, int[:, ::1] stamp, const int[:, ::1] blocks,
    const float[:, ::1] own, double[:, ::1] reals, const double[::1] logs, float[:, ::1] x, Py_ssize_t at
) except *
