"""From what selectors show on a data set to advice."""
