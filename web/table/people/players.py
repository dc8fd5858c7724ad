"""The pages of the players: their identities, their marks, and how to delete them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from unicodedata import category

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError, NotationError
from scoreboard.message import Message, message
from scoreboard.players import LONGEST_NAME, is_guest, plain_text
from scoreboard.storage.profiles import COLOURS, Profile, UnknownProfileError, letters
from scoreboard.table.requests import PlayerDeleted
from vision.errors import PhotoError
from web.shared.security import LARGEST_PHOTO_BYTES
from web.table.faults import fault_answer
from web.table.parts import STATUSES, Parts, jpeg

if TYPE_CHECKING:
    from scoreboard.storage.profiles import SqlProfiles

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
    def show() -> str:
        return players_page(parts, profiles)

    @views.post("/players", right="owner")
    def add() -> AnyResponse:
        try:
            made = profiles.add(plain_text(request.form.get("name", "")))
        except (NotationError, ConflictError) as error:
            page = players_page(parts, profiles, error.message)
            return Response(page, HTTPStatus.UNPROCESSABLE_ENTITY)
        return redirect(url_for("players.person", profile_id=made.profile_id), HTTPStatus.SEE_OTHER)

    @views.post("/players/match", right="owner")
    def match() -> AnyResponse:
        wanted = set(request.form.getlist("name"))
        profiles.note([name for name in unmatched(parts) if name in wanted])
        return redirect(url_for("players.show"), HTTPStatus.SEE_OTHER)

    @views.post("/players/merge", right="owner")
    def merge() -> AnyResponse:
        kept, other = request.form.get("kept", ""), request.form.get("other", "")
        if kept == other:
            page = players_page(parts, profiles, message("Choose two different players."))
            return Response(page, HTTPStatus.UNPROCESSABLE_ENTITY)
        profiles.merge(kept, other)
        return redirect(url_for("players.person", profile_id=kept), HTTPStatus.SEE_OTHER)

    _add_person(views, parts, profiles)
    return views


def _add_person(views: Blueprint, parts: Parts, profiles: SqlProfiles) -> None:
    @views.get("/players/<profile_id>", right="guest")
    def person(profile_id: str) -> str:
        return person_page(parts, profiles, profiles.of(profile_id))

    @views.post("/players/<profile_id>", right="owner")
    def change(profile_id: str) -> AnyResponse:
        from vision.capture.photo import portrait  # noqa: PLC0415 -- OpenCV: seconds on a Pi

        request.max_content_length = LARGEST_PHOTO_BYTES
        wanted = profile = profiles.of(profile_id)
        try:
            wanted = entered(profile)
            photo = request.files.get("photo")
            small = portrait(photo.stream.read()) if photo else None
            profiles.change(wanted)
        except (NotationError, ConflictError, PhotoError) as error:
            page = person_page(parts, profiles, wanted, error.message)
            return Response(page, HTTPStatus.UNPROCESSABLE_ENTITY)
        if small is not None or "no-photo" in request.form:
            profiles.set_photo(profile_id, small)
        return redirect(url_for("players.person", profile_id=profile_id), HTTPStatus.SEE_OTHER)

    @views.get("/players/<profile_id>/photo.jpg", right="guest")
    def photo(profile_id: str) -> AnyResponse:
        kept = profiles.photo(profile_id) or abort(HTTPStatus.NOT_FOUND)
        answer = jpeg(kept, "private, no-cache")  # asked for each time, sent when it has changed
        answer.add_etag()
        return answer.make_conditional(request)

    @views.post("/players/<profile_id>/delete", right="owner")
    def delete(profile_id: str) -> AnyResponse:
        profile = profiles.of(profile_id)
        answer = parts.submit(PlayerDeleted(profile_id, profiles.names(profile_id)))
        if answer.verdict in {"done", "unchanged"}:
            return redirect(url_for("players.show"), HTTPStatus.SEE_OTHER)
        page = person_page(parts, profiles, profile, answer.notice)
        return Response(page, STATUSES[answer.verdict])


def players_page(parts: Parts, profiles: SqlProfiles, fault: Message | None = None) -> str:
    """All known people, and the names of games without a profile."""
    known = profiles.all()
    groups: dict[str, list[str]] = {}
    for name in unmatched(parts):
        groups.setdefault(letters(name), []).append(name)
    return render_template(
        "players.html",
        known=known,
        alike={letters(name): one.name for name, one in profiles.by_name().items()},
        groups=groups,
        marks=COLOURS,
        fault=fault,
        longest_name=LONGEST_NAME,
    )


def person_page(
    parts: Parts, profiles: SqlProfiles, profile: Profile, fault: Message | None = None
) -> str:
    """One person, and for an owner the editable data."""
    names = set(profiles.names(profile.profile_id))
    return render_template(
        "player.html",
        profile=profile,
        names=sorted(names - {profile.name}),
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
