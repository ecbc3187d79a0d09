"""Functions in worker processes that may hang, crash or run out of memory without harm to the caller.

process  Worker: starts the process, sends messages, limits time and memory, restarts it (Bounds, Answer, Failed)
child    the process itself: python -m thresher.workers.child; its function is named by address, `module:function`
pipes    messages between our processes
"""
