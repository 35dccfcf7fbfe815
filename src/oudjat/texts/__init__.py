"""What is said: catalogs in three languages, sentences about games, rules pages."""
