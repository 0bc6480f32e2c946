"""What a study prints: tables, figures, claims."""
