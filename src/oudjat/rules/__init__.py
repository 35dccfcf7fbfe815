"""What is allowed: each game's rules, pure, with no I/O, no clock and no randomness of their own."""
