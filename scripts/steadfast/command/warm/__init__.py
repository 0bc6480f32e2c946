"""Processes that are kept warm: jobs of a local run begin with packages that are loaded already."""
