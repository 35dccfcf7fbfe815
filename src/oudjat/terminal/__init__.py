"""Playing in the terminal: a full-screen face and a line-by-line one over the same local match."""
