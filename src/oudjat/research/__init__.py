"""Experiments at scale. Read ``matches`` first: it plays levels against each other, ``workers`` does so on all
processor cores, ``estimates`` and ``standings`` say what came out and how sure it is, ``record_file`` keeps the
games."""
