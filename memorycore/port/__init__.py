"""What we ask of the outside: readers and writers, and later extractors and embedders."""
