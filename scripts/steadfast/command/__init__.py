"""The command `steadfast`: one module per subcommand, with its arguments and what it does."""
