"""Criteria of wrappers: how well a classifier does with a subset of the features.

One file a classifier with a fast path, and `ordinary` for any other.
"""
