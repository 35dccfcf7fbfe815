"""Oudjat: play, study and research Isis & Osiris."""

__version__ = "0.1.0"
