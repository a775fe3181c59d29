"""The own set of the authors about whose new posts a user wants notifications."""

from models.bells import BELL
from settings import USERS
from store.own_sets.kind import Kind, limited
from store.people import bells

KIND = Kind(BELL, limited(lambda settings: settings.people.follow_limit), bells.own_rows, USERS, bells.count)
