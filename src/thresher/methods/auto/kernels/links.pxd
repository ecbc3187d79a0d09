# What other kernels call (features.py).

cpdef Py_ssize_t write_links(
    const unsigned char[::1] markup, const int[::1] row, const int[::1] code, const int[::1] start,
    const int[::1] stop, int link, const unsigned char[::1] no_page, const int[:, ::1] blocks,
    const int[:, ::1] sums, const int[:, ::1] elements, int[:, ::1] links, float[:, ::1] x, Py_ssize_t at
) except -1
