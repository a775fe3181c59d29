"""The package that an installed Plaudit consists of. In a wheel, all other packages of Plaudit are
inside this folder.
"""
