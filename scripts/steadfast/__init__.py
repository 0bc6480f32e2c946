"""steadfast: how far can a feature selection be trusted?"""

__version__ = "0.1.0"
