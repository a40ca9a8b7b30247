"""The store: all SQL, and nothing but apsw below it. Functions here never begin or commit."""
