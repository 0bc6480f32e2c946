"""Accuracy of classifiers along a selection."""
