"""The installed distribution: in a wheel, every package of Plaudit lies in this folder."""
