"""memoryctl: the command line of memorycore. One file a command."""
