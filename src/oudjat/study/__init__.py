"""How to learn from what was played: exact endgames told, and whole games weighed turn by turn.

Read ``analysis`` first: it says what each turn cost and how much was luck. ``judges`` values positions, exactly
where that can be done in time and by a level's estimate elsewhere; ``told`` and ``tables`` say it to programs
and to people.
"""
