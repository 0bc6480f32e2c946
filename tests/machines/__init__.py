"""What many machines give and cost: figures for docs/many-machines.md."""
