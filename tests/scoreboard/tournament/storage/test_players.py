"""The registry and seasons, in every store."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select

from scoreboard.tournament.model.season import Season
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.players import spelling_id
from scoreboard.tournament.storage.tables import PLAYER_SPELLINGS

ANNA, ANA = spelling_id("Anna Berg"), spelling_id("Ana Berg")


def test_everybody_is_registered_once(hub: SqlHubStore) -> None:
    """However the name is written, and with the club of the first entry."""
    hub.players.add_missing({"Anna Berg": "Almere", "boris": ""}, {})
    hub.players.add_missing({"anna  BERG": "elsewhere", "Boris": "", "Chen": ""}, {})
    players = hub.players.all().players
    assert [(each.name, each.club) for each in players.values()] == [
        ("Anna Berg", "Almere"), ("boris", ""), ("Chen", ""),
    ]  # fmt: skip


def test_two_become_one(hub: SqlHubStore) -> None:
    """Both spellings lead to the one who is left, who takes over the club."""
    hub.players.add_missing({"Anna Berg": "", "Ana Berg": "Almere"}, {})
    known = hub.players.all()
    hub.players.merge(known.players[ANA], known.players[ANNA])
    known = hub.players.all()
    assert known.owner("ana berg") == known.owner("Anna Berg") == ANNA
    assert known.players[ANNA].spellings == ("Ana Berg", "Anna Berg")
    assert known.players[ANNA].club == "Almere"
    hub.players.add_missing({"Ana Berg": ""}, {})
    assert len(hub.players.all().players) == 1


def test_a_new_spelling_is_known_beside_the_old(hub: SqlHubStore) -> None:
    """Events of before still lead to the player."""
    hub.players.add_missing({"Ana Berg": ""}, {})
    player = hub.players.all().players[ANA]
    hub.players.change(replace(player, name="Anna Berg", note="left-handed", hidden=True))
    known = hub.players.all()
    assert known.owner("Ana Berg") == known.owner("Anna Berg") == ANA
    kept = known.players[ANA]
    assert (kept.name, kept.note, kept.hidden) == ("Anna Berg", "left-handed", True)


def test_the_erased_are_named_nowhere_and_do_not_come_back(hub: SqlHubStore) -> None:
    """Their entry in an event finds a player without a name."""
    hub.players.add_missing({"Anna Berg": "Almere"}, {})
    hub.players.erase(ANNA)
    hub.players.add_missing({"Anna Berg": "Almere", "Anne": ""}, {"Anna Berg": "Anne"})
    (kept,) = hub.players.all().players.values()
    assert (kept.name, kept.club, kept.spellings, kept.hidden) == ("", "", (), True)
    with hub._database.reading() as connection:
        asked = select(PLAYER_SPELLINGS.c.spelling)
        assert connection.execute(asked).scalars().all() == [None, None]


def test_seasons_are_kept_changed_and_deleted(hub: SqlHubStore) -> None:
    """The newest first, each as it was given."""
    season = Season(0, "Winter", ("a", "b"), "10 7/2", "average", 2, "last", 3)
    first = hub.players.keep_season(season)
    second = hub.players.keep_season(Season(0, "Spring", ("c",)))
    hub.players.keep_season(replace(season, number=first, best=3))
    assert hub.players.seasons() == (
        Season(second, "Spring", ("c",)),
        replace(season, number=first, best=3),
    )
    hub.players.delete_season(second)
    assert [each.number for each in hub.players.seasons()] == [first]


def test_a_spelling_that_an_event_corrected_stays_the_same_person_s(hub: SqlHubStore) -> None:
    """Unless the new one is somebody's already, or the old one nobody's."""
    hub.players.add_missing({"Ana Berg": "Almere", "Boris": ""}, {})
    corrected = {"Ana Berg": "Anna Berg", "Boriss": "Boris", "Che": "Chen"}
    hub.players.add_missing({"Anna Berg": "", "Boris": "", "Chen": ""}, corrected)
    known = hub.players.all()
    assert [each.name for each in known.players.values()] == ["Anna Berg", "Boris", "Chen"]
    assert known.owner("Ana Berg") == known.owner("Anna Berg") == ANA
    assert known.owner("Che") is None
