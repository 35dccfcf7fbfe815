"""A game on a text screen: full-screen, or line by line."""
