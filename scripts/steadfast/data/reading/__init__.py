"""Files of users, opened: one module for each kind of file, and what all of them share.

`steadfast.data.readers` chooses among them.
"""
