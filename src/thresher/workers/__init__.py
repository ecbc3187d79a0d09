"""A function by its address, in a process that may die.

process  starts it, asks it, bounds its time, starts it again: Worker, Bounds, Answer, Failed
child    the process itself: python -m thresher.workers.child
pipes    messages between our own processes
"""
