"""What several kinds of tables, figures and claims compute."""
