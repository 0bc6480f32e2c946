"""Transforms: what is done to the training rows before features are selected on them.

One file per transform; `steadfast.core.registry` finds them by their decorator. A transform has
`fit_transform(X, y)`, which returns as many rows and columns as it was given, and may state
`labels_`: classes for the selector in the place of `y`.
"""
