"""How a data set is perturbed: which rows each fold trains and tests on."""
