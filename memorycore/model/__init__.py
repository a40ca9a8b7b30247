"""The records and the pure rules about them. Imports nothing but the standard library."""
