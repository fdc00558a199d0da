"""Ten concepts asked before and after the course, in two forms of the same weight.

It has not been tried on students: nothing is claimed about its validity or its reliability.
"""
