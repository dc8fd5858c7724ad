"""The pages of the people who play: the list, a person, and how they are merged and deleted."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from werkzeug.test import TestResponse

from scoreboard.storage import SqlStore
from scoreboard.storage.profiles import COLOURS, Profile
from scoreboard.table.requests import Chosen, GameAbandoned, GameOpened
from scoreboard.table.session import TableSession
from tests.web.table_fake import FACTS, FakeTable, PromptInbox, forgetful_access
from vision.capture.photo import MOST_PORTRAIT_BYTES, SIDE, open_photo
from web.shared.clocks import utc_now
from web.table.history.archive import Archive
from web.table.play.setup import offered_players

OWN = {"Origin": "http://localhost"}
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.9"}
ORIENTATION, MAKER = 0x0112, 0x010F


class Home:
    """A table whose games and players are in a file, seen by its owner and by a guest's phone."""

    def __init__(self, store: SqlStore) -> None:
        self.store, self.profiles = store, store.profiles
        ids = (f"g{number}" for number in count(1))
        self.session = TableSession(store, utc_now, (), lambda: next(ids))
        fake = FakeTable()
        self.access = forgetful_access()
        app = fake.app(
            access=self.access,
            inbox=PromptInbox(self.session),
            session=self.session,
            archive=Archive(store),
            facts=replace(FACTS, demo=False),
            store=store,
        )
        self.owner, self.phone = app.test_client(), app.test_client()

    def plays(self, *players: str, game: str = "yahtzee") -> None:
        """A game of these is begun, and closed again."""
        self.session.receive(GameOpened(game, players, {}))
        self.session.receive(GameAbandoned(self.session.view.version))

    def reads(self, path: str) -> str:
        """A page, as the owner reads it."""
        answer = self.owner.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def sends(self, path: str, **form: object) -> TestResponse:
        return self.owner.post(path, data=form, headers=OWN)

    def page_of(self, profile: Profile) -> str:
        return f"/players/{profile.profile_id}"


@pytest.fixture
def home(store: SqlStore) -> Home:
    """A table without games and players."""
    return Home(store)


def photo(width: int = 600, height: int = 400, orientation: int = 1) -> bytes:
    """A photo that is red at its upper edge as it is stored, with what cameras write beside it."""
    pixels = np.full((height, width, 3), 255, np.uint8)
    pixels[: height // 4] = (255, 0, 0)
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = orientation, "Secret Camera of Home Street 7"
    file = BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", exif=exif)
    return file.getvalue()


def test_a_player_is_added_and_changed(home: Home) -> None:
    """Name, colour, initial, emoji and hidden; who is hidden is told so."""
    answer = home.sends("/players", name=" Ann ")
    (ann,) = home.profiles.all()
    assert answer.location == home.page_of(ann)
    taken = home.sends("/players", name="Ann")
    assert (taken.status_code, len(home.profiles.all())) == (422, 1)
    assert "another player’s name" in taken.text
    form = {"name": "Anna", "colour": "pink", "initial": "an", "emoji": "🦊", "hidden": "on"}
    assert home.sends(home.page_of(ann), **form).status_code == 303
    assert home.profiles.all() == (
        Profile(ann.profile_id, "Anna", "pink", "AN", "🦊", hidden=True),
    )
    assert "also known as Ann" in home.reads(home.page_of(ann))
    assert "Hidden (1)" in home.reads("/players")


def test_an_initial_follows_the_name_until_it_is_chosen(home: Home) -> None:
    """A new name has a new initial; one's own stays."""
    ann = home.profiles.add("Ann")
    home.sends(home.page_of(ann), name="Zoë", initial="A", colour="green")
    assert home.profiles.all()[0].initial == "Z"
    home.sends(home.page_of(ann), name="Zoë", initial="ZZ", colour="green")
    home.sends(home.page_of(ann), name="Ann", initial="ZZ", colour="no such colour")
    assert home.profiles.all()[0] == replace(ann, initial="ZZ")


@pytest.mark.parametrize(
    ("form", "fault"),
    [
        ({"name": ""}, "A name has 1 to 60 characters."),
        ({"name": "A, B"}, "no comma"),
        ({"name": "Ben"}, "another player’s name"),
        ({"name": "Ann", "initial": "?!"}, "An initial is one or two letters or digits."),
        ({"name": "Ann", "initial": "ABC"}, "An initial is one or two letters or digits."),
        ({"name": "Ann", "emoji": "hello"}, "Type one emoji"),
        ({"name": "Ann", "emoji": "🦊" * 13}, "Type one emoji"),
    ],
)
def test_what_nobody_can_be_is_refused(home: Home, form: dict[str, str], fault: str) -> None:
    """With words, and nothing is changed."""
    ann, ben = home.profiles.add("Ann"), home.profiles.add("Ben")
    answer = home.sends(home.page_of(ann), **form)
    assert answer.status_code == 422
    assert fault in answer.text
    assert home.profiles.all() == (ann, ben)


@pytest.mark.parametrize(("orientation", "edge"), [(1, "top"), (6, "right")])
def test_a_photo_is_small_square_upright_and_says_nothing_else(
    home: Home, orientation: int, edge: str
) -> None:
    """As EXIF turns it; of EXIF nothing is left."""
    ann = home.profiles.add("Ann")
    sent = (BytesIO(photo(orientation=orientation)), "me.jpg")
    assert home.sends(home.page_of(ann), name="Ann", photo=sent).status_code == 303
    answer = home.owner.get(f"{home.page_of(ann)}/photo.jpg")
    assert answer.mimetype == "image/jpeg"
    assert b"Secret" not in answer.data
    assert b"Exif" not in answer.data
    assert len(answer.data) <= MOST_PORTRAIT_BYTES
    image = open_photo(answer.data)
    assert image.shape == (SIDE, SIDE, 3)
    edges = {"top": image[5, 128], "right": image[128, -5]}
    red = {name for name, (blue, green, _) in edges.items() if int(blue) + int(green) < 120}
    assert red == {edge}


def test_the_liveliest_photo_is_small_too(home: Home) -> None:
    """Noise, which no JPEG packs well."""
    ann = home.profiles.add("Ann")
    noise = np.random.default_rng(7).integers(0, 2, (SIDE, SIDE, 3), np.uint8) * 255
    sent = (BytesIO(cv2.imencode(".png", noise)[1].tobytes()), "noise.png")
    home.sends(home.page_of(ann), name="Ann", photo=sent)
    kept = home.profiles.photo(ann.profile_id)
    assert kept is not None
    assert len(kept) <= MOST_PORTRAIT_BYTES


def test_a_photo_is_sent_again_only_after_a_change(home: Home) -> None:
    """And can be deleted: then there is none."""
    ann = home.profiles.add("Ann")
    home.sends(home.page_of(ann), name="Ann", photo=(BytesIO(photo()), "me.jpg"))
    address = f"{home.page_of(ann)}/photo.jpg"
    tag = home.owner.get(address).headers["ETag"]
    assert home.owner.get(address, headers={"If-None-Match": tag}).status_code == 304
    home.sends(home.page_of(ann), name="Ann", photo=(BytesIO(photo(300)), "me.jpg"))
    assert home.owner.get(address, headers={"If-None-Match": tag}).status_code == 200
    home.sends(home.page_of(ann), **{"name": "Ann", "no-photo": "on"})
    assert home.owner.get(address).status_code == 404


@pytest.mark.parametrize("file", [b"no picture", photo()[:200], b""])
def test_a_bad_file_is_refused_with_words(home: Home, file: bytes) -> None:
    """And nothing else of the form is kept."""
    ann = home.profiles.add("Ann")
    answer = home.sends(home.page_of(ann), name="Zoë", photo=(BytesIO(file), "me.jpg"))
    assert answer.status_code == 422
    assert 'id="fault"' in answer.text
    assert home.profiles.all() == (ann,)


def test_two_are_merged(home: Home) -> None:
    """The list says what happens then; the same one twice is refused."""
    ann, anna = home.profiles.add("Ann"), home.profiles.add("Anna")
    assert "All games of both then count for the one that you keep" in home.reads("/players")
    answer = home.sends("/players/merge", kept=ann.profile_id, other=ann.profile_id)
    assert (answer.status_code, len(home.profiles.all())) == (422, 2)
    assert "Choose two different players." in answer.text
    answer = home.sends("/players/merge", kept=ann.profile_id, other=anna.profile_id)
    assert answer.location == home.page_of(ann)
    assert home.profiles.names(ann.profile_id) == ("Ann", "Anna")


def test_who_is_gone_has_no_page(home: Home) -> None:
    """Whatever a page that was left open asks for."""
    for path in ("", "/photo.jpg"):
        assert home.owner.get(f"/players/x{path}").status_code == 404
    for path in ("/players/x", "/players/x/delete", "/players/merge"):
        assert home.sends(path, name="X", kept="x").status_code == 404


def test_names_of_games_of_before_are_matched_by_one_confirm(home: Home) -> None:
    """Alike ones on one line, and one person; a guest is nobody; who is unticked stays out."""
    home.plays("Ann", "Ben")
    home.plays("ann", "Ben", "Guest 1", "Visitor")
    text = home.reads("/players")
    assert "(4)" in text
    assert re.search(r'value="ann" checked.*value="Ann" checked.*one person\?', text)
    home.sends("/players/match", name=["Ann", "ann", "Ben", "Guest 1", "Nobody"])
    assert {name: one.name for name, one in home.profiles.by_name().items()} == {
        "ann": "ann",
        "Ann": "ann",
        "Ben": "Ben",
    }
    assert "(1)" in home.reads("/players")
    assert home.reads("/players").count("no player yet") == 1


def test_a_game_makes_its_players_quietly(home: Home) -> None:
    """Who types a new name gets a colour; the table, the sheet and the big screen show it."""
    form = {"game": "yahtzee", "name": ["Ann", "ann", "Zoë"], "do": "begin"}
    assert home.sends("/setup", **form).status_code == 303
    ann, lower, zoe = (home.profiles.by_name()[name] for name in ("Ann", "ann", "Zoë"))
    assert len({ann.profile_id, lower.profile_id, zoe.profile_id}) == 3
    home.profiles.set_photo(ann.profile_id, b"\xff\xd8")
    home.profiles.change(replace(zoe, emoji="🦊"))
    for path in ("/", "/tv"):
        text = home.reads(path)
        assert f'mark" aria-hidden="true"><img src="{home.page_of(ann)}/photo.jpg" alt="">' in text
        assert f'seat-{zoe.colour} mark" aria-hidden="true">🦊' in text
        assert f'class="initial seat-{lower.colour} mark" aria-hidden="true">A' in text


def test_setup_offers_whom_it_knows(home: Home) -> None:
    """By the name that is shown now, with the mark; neither the hidden nor guests."""
    home.plays("Ann", "Ben", "Guest 1", "Stranger")
    ann, ben = home.profiles.add("Ann"), home.profiles.add("Ben")
    new = home.profiles.add("Never played")
    anna = replace(ann, name="Anna")
    home.profiles.change(anna)
    home.profiles.change(replace(ben, hidden=True))
    games, known = home.store.headers(), home.profiles.by_name()
    assert list(offered_players(games, known).items()) == [
        ("Anna", anna),
        ("Stranger", None),
        ("Never played", new),
    ]
    text = home.reads("/setup")
    assert re.search(r'data-player="Anna"[^>]*><span class="initial seat-green mark"', text)
    home.session.receive(GameOpened("yahtzee", ("Zoë",), {}))


def test_old_names_become_the_new_ones_in_a_new_game(home: Home) -> None:
    """Not where two of that game have become one person."""
    home.plays("Ann", "Ben")
    ann, ben = home.profiles.add("Ann"), home.profiles.add("Ben")
    home.profiles.change(replace(ann, name="Anna"))
    last = home.sends("/setup", game="yahtzee", do="last").text
    assert re.findall(r'name="name" value="([^"]*)"', last) == ["Anna", "Ben"]
    home.profiles.merge(ann.profile_id, ben.profile_id)
    last = home.sends("/setup", game="yahtzee", do="last").text
    assert re.findall(r'name="name" value="([^"]*)"', last) == ["Ann", "Ben"]


def test_a_person_is_deleted_everywhere_after_a_question(home: Home) -> None:
    """It says how many games, and what keeps the name; then no page has it any more."""
    home.plays("Ann", "Ben")
    home.plays("Anna", "Ben")
    ann = home.profiles.add("Ann")
    home.profiles.merge(ann.profile_id, home.profiles.add("Anna").profile_id)
    question = home.reads(home.page_of(ann))
    assert "In their games (2) they become a guest" in question
    assert "Backups and exports from before keep the name" in question
    assert home.sends(f"{home.page_of(ann)}/delete").location == "/players"
    again = home.profiles.add("Ann")  # who is new under that name is another person
    assert home.sends(f"{home.page_of(again)}/delete").status_code == 303
    assert home.profiles.all() == ()
    assert [one.players for one in home.store.headers()] == [("Guest 1", "Ben")] * 2
    for path in ("/", "/games", "/players", "/setup", "/tv"):
        assert "Ann" not in home.reads(path), path
    assert "Guest 1" in home.reads("/games")


def test_who_plays_now_is_not_deleted(home: Home) -> None:
    """It says why; the game and the person stay; once it is closed they can be."""
    home.session.receive(GameOpened("yahtzee", ("Ann", "Ben"), {}))
    ann = home.profiles.add("Ann")
    answer = home.sends(f"{home.page_of(ann)}/delete")
    assert answer.status_code == 422
    assert "This player’s game is under way" in answer.text
    assert home.profiles.all() == (ann,)
    home.session.receive(GameAbandoned(home.session.view.version))
    assert home.sends(f"{home.page_of(ann)}/delete").status_code == 303
    assert home.session.view.scoresheet is not None
    assert home.session.view.scoresheet.players == ("Guest 1", "Ben")


def test_a_watcher_looks_and_an_owner_edits(home: Home) -> None:
    """A phone that was not let in sees who plays where they are open to it, and presses nothing."""
    assert home.phone.get("/players", environ_overrides=ELSEWHERE).status_code == 403
    home.access.show_earlier(shown=True)
    ann, _ = home.profiles.add("Ann"), home.profiles.add("Ben")
    home.plays("Cem")
    for path in ("/players", home.page_of(ann)):
        text = home.phone.get(path, environ_overrides=ELSEWHERE).text
        assert "Ann" in text
        assert "<form" not in text
    delete = f"{home.page_of(ann)}/delete"
    answer = home.phone.post(delete, headers=OWN, environ_overrides=ELSEWHERE)
    assert (answer.status_code, len(home.profiles.all())) == (403, 2)


def test_a_name_is_put_right_in_the_running_game(home: Home) -> None:
    """On its page, in its log and for UNDO at once; what is stored stays as it was."""

    def chooses(*keys: str) -> None:
        for key in keys:
            offer, _, filling = key.partition("=")
            version = home.session.view.version
            answer = home.session.receive(Chosen(offer, version, filling or None))
            assert answer.verdict == "done", answer.notice

    mama, _ = home.profiles.add("Mama"), home.profiles.add("Ben")
    home.session.receive(GameOpened("yahtzee", ("Mama", "Ben"), {"start": "first"}))
    chooses("roll=33516", "stand", "score:chance")
    for name, act in (("Mum", "score:chance"), ("Mother", "leave:0")):
        assert home.sends(home.page_of(mama), name=name).status_code == 303
        view = home.session.view
        assert view.scoresheet is not None
        assert view.scoresheet.players == (name, "Ben")
        chooses("roll=33516", "stand", act)
        for path in ("/", "/games", "/games/g1/log"):
            assert name in home.reads(path)
            assert "Mama" not in home.reads(path)
    assert str(home.session.view.undo) == "Undo Mother left"
    raw = home.store.raw("g1")
    assert "Mama" in raw
    assert "Mum" not in raw
    assert "Mother" not in raw
    again = TableSession(home.store, utc_now, (), str)
    again.resume_newest()
    assert again.view.scoresheet == home.session.view.scoresheet
    home.store.keeps_names = lambda game_id: game_id == "g1"
    assert home.store.header("g1").players == ("Mama", "Ben")


def test_no_photo_of_a_player_is_shown_to_a_stranger(home: Home) -> None:
    """Neither on the page nor on the big screen, unless earlier games are open to them."""
    ann = home.profiles.add("Ann")
    sent = (BytesIO(photo()), "me.jpg")
    assert home.sends(home.page_of(ann), name="Ann", photo=sent).status_code == 303
    home.plays("Ann")
    picture = f"{home.page_of(ann)}/photo.jpg"
    for shown in (False, True):
        home.access.show_earlier(shown=shown)
        for path in ("/", "/tv"):
            page = home.phone.get(path, environ_overrides=ELSEWHERE)
            assert page.status_code == 200
            assert (picture in page.text) == shown, path
        assert home.phone.get(picture, environ_overrides=ELSEWHERE).status_code == (
            200 if shown else 403
        )


def test_each_colour_has_a_mark_of_its_own() -> None:
    """In words and as a shape; all are written on in white, and apart for every eye."""
    css = (Path(__file__).parents[4] / "web/table/static/base.css").read_text(encoding="utf-8")
    found = dict(re.findall(r"\.seat-([a-z]+) { --seat: (#[0-9a-f]+); --shape: .+ }", css))
    shapes = re.findall(r"--shape: (.+); }", css)
    assert set(found) == set(COLOURS)
    assert len(set(shapes)) == len(COLOURS) == len({str(words) for words in COLOURS.values()})
    light = np.array([linear(found[colour]) for colour in COLOURS])
    assert (1.05 / (light @ LUMINANCE + 0.05)).min() >= 4.5
    for kind in SEEN_AS:
        seen = lab(np.clip(light @ np.array(kind).T, 0, 1))
        distances = np.linalg.norm(seen[:, None] - seen, axis=-1)
        assert distances[~np.eye(len(COLOURS), dtype=bool)].min() >= 12


# Normal sight, and Machado, Oliveira and Fernandes (2009), severity 1: red, green, blue missing
SEEN_AS = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    (
        *((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216)),
        (-0.003882, -0.048116, 1.051998),
    ),
    (
        *((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413)),
        (-0.011820, 0.042940, 0.968881),
    ),
    (
        *((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602)),
        (0.004733, 0.691367, 0.303900),
    ),
)
LUMINANCE = np.array([0.2126729, 0.7151522, 0.0721750])
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], LUMINANCE.tolist(), [0.0193339, 0.1191920, 0.9503041]]
)


def linear(colour: str) -> list[float]:
    """A colour of a style sheet as light: red, green, blue."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    values = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    return [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in values]


def lab(light: np.ndarray) -> np.ndarray:
    """Light in CIELAB under D65."""
    part = light @ XYZ.T / np.array([0.95047, 1, 1.08883])
    x, y, z = np.where(part > 216 / 24389, np.cbrt(part), (24389 / 27 * part + 16) / 116).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)
