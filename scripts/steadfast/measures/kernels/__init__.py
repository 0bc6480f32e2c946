"""Compiled inner loops of measures that compare similar features one to one."""
