"""The pages of the players: their identities, their marks, and how to delete them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from http import HTTPStatus
from typing import Final
from unicodedata import category

from flask import Blueprint, Response, request

from scoreboard.errors import ConflictError, NotationError
from scoreboard.message import Message, message
from scoreboard.players import LONGEST_NAME, is_guest, plain_text
from scoreboard.storage.finished_games import people
from scoreboard.storage.profiles import COLOURS, Profile, UnknownProfileError, letters
from scoreboard.table.requests import PlayerDeleted, PlayerNameChanged
from vision.capture.photo import portrait
from vision.errors import PhotoError
from web.shared.security import LARGEST_PHOTO_BYTES
from web.table.parts import STATUSES, Parts, checked_jpeg, fault_answer, shown, to

LONGEST_INITIAL: Final = 2
LONGEST_EMOJI: Final = 12  # characters: a family of four with its joiners
_EMOJI: Final = frozenset({"So", "Sk", "Sm", "Mn", "Me", "Cf"})


def player_views(parts: Parts) -> Blueprint:
    """`/players`: the list, and a page a person."""
    profiles = parts.store.profiles
    views = Blueprint("players", __name__)

    @views.errorhandler(UnknownProfileError)
    def gone(error: UnknownProfileError) -> Response:
        return fault_answer(HTTPStatus.NOT_FOUND, error.message)

    @views.get("/players", right="guest")
    def show() -> Response:
        return players_page(parts)

    @views.post("/players", right="owner")
    def add() -> Response:
        try:
            made = profiles.add(plain_text(request.form.get("name", "")))
        except (NotationError, ConflictError) as error:
            return players_page(parts, error.message)
        return to("players.person", profile_id=made.profile_id)

    @views.post("/players/match", right="owner")
    def match() -> Response:
        wanted = set(request.form.getlist("name"))
        profiles.note([name for name in unmatched(parts) if name in wanted])
        return to("players.show")

    @views.post("/players/merge", right="owner")
    def merge() -> Response:
        kept, other = request.form.get("kept", ""), request.form.get("other", "")
        if kept == other:
            return players_page(parts, message("Choose two different players."))
        profiles.merge(kept, other)
        parts.submit(PlayerNameChanged(other, profiles.of(kept).name))
        return to("players.person", profile_id=kept)

    _add_person(views, parts)
    return views


def _add_person(views: Blueprint, parts: Parts) -> None:
    profiles = parts.store.profiles

    @views.get("/players/<profile_id>", right="guest")
    def person(profile_id: str) -> Response:
        return person_page(parts, profiles.of(profile_id))

    @views.post("/players/<profile_id>", right="owner")
    def change(profile_id: str) -> Response:
        request.max_content_length = LARGEST_PHOTO_BYTES
        wanted = profile = profiles.of(profile_id)
        try:
            wanted = entered(profile)
            photo = request.files.get("photo")
            small = portrait(photo.stream.read()) if photo else None
            profiles.change(wanted)
            if wanted.name != profile.name:
                parts.submit(PlayerNameChanged(profile_id, wanted.name))
        except (NotationError, ConflictError, PhotoError) as error:
            return person_page(parts, wanted, error.message)
        if small is not None or "no-photo" in request.form:
            profiles.set_photo(profile_id, small)
        return to("players.person", profile_id=profile_id)

    @views.get("/players/<profile_id>/photo.jpg", right="guest")
    def photo(profile_id: str) -> Response:
        return checked_jpeg(profiles.photo(profile_id), "private, no-cache")

    @views.post("/players/<profile_id>/delete", right="owner")
    def delete(profile_id: str) -> Response:
        profile = profiles.of(profile_id)
        answer = parts.submit(PlayerDeleted(profile_id, profiles.names(profile_id)))
        if answer.verdict in {"done", "unchanged"}:
            return to("players.show")
        return person_page(parts, profile, answer.notice, STATUSES[answer.verdict])


def players_page(parts: Parts, fault: Message | None = None) -> Response:
    """All known people, and the names of games without a profile."""
    profiles = parts.store.profiles
    groups: dict[str, list[str]] = {}
    for name in unmatched(parts):
        groups.setdefault(letters(name), []).append(name)
    return shown(
        "players.html",
        known=profiles.all(),
        by_letters={letters(name): one.name for name, one in profiles.by_name().items()},
        groups=groups,
        played=people(parts.store.finished),
        fault=fault,
        longest_name=LONGEST_NAME,
    )


def person_page(
    parts: Parts, profile: Profile, fault: Message | None = None, status: int | None = None
) -> Response:
    """One person, and for an owner the editable data."""
    names = set(parts.store.profiles.names(profile.profile_id))
    return shown(
        "player.html",
        status,
        profile=profile,
        names=sorted(names - {profile.name}),
        played=people(parts.store.finished).get(profile.name),
        games=sum(not names.isdisjoint(one.players) for one in parts.store.headers()),
        marks=COLOURS,
        fault=fault,
        longest_name=LONGEST_NAME,
    )


def unmatched(parts: Parts) -> tuple[str, ...]:
    """The names in games without a profile, the most frequent first; guests are none."""
    often = Counter(player for game in parts.own_games() for player in game.players)
    known = parts.known()
    return tuple(name for name, _ in often.most_common() if not (name in known or is_guest(name)))


def entered(profile: Profile) -> Profile:
    """The profile as the form has it. Raises NotationError for what is none."""
    name = plain_text(request.form.get("name", "")).strip()
    emoji = request.form.get("emoji", "").strip()
    colour, initial = request.form.get("colour"), request.form.get("initial", "").strip().upper()
    if initial in {"", profile.name[:1].upper()}:
        initial = name[:1].upper()
    elif len(initial) > LONGEST_INITIAL or not initial.isalnum():
        raise NotationError(message("An initial is one or two letters or digits."))
    if len(emoji) > LONGEST_EMOJI or not all(category(each) in _EMOJI for each in emoji):
        raise NotationError(message("Type one emoji, or leave its field empty."))
    return replace(
        profile,
        name=name,
        colour=colour if colour in COLOURS else profile.colour,
        initial=initial,
        emoji=emoji,
        hidden="hidden" in request.form,
    )
