"""Changes that no test can or need tell from the program: by what is printed of them, without the line; each with its reason."""

EXPLAINED = {}
