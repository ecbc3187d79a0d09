# What other kernels call (features.py).

cpdef void write_units(
    const unsigned char[::1] markup, const int[::1] start, const int[::1] stop, const unsigned long long[::1] facts,
    const int[:, ::1] links, Py_ssize_t count, const int[:, ::1] blocks, const int[:, ::1] sums,
    const int[:, ::1] elements, unsigned long long secret, int[::1] slots, int[:, ::1] ints,
    unsigned long long[::1] first_class, double[:, ::1] table, Py_ssize_t dated, float[:, ::1] x, Py_ssize_t at
) except *
