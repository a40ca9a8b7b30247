"""What happens: one verb a module. Deciding is pure; applying writes inside an open transaction."""
