"""How to choose a turn: memory that fades, levels of play, compiled kernels."""
