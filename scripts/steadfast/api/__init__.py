"""What `import steadfast` gives: measures, reports and a selector, each in a line."""
