"""Teaching a set: the list of sets, a lesson's photographs, its test, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from io import SEEK_END
from typing import IO, Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import Message, message
from vision.errors import LessonError
from vision.learn.school import STRANGERS
from web.security import LARGEST_PHOTO_BYTES, whole_number
from web.table.lesson_api import MOST_PHOTOS, MOST_TOGETHER, Lesson, LessonApi, Step
from web.table.ports import Table
from web.table.views import lesson_report
from web.table.views.face_names import PRESETS, are_dice, faces_of, told_faces
from web.table.views.faults import UNPROCESSABLE, fault_answer
from web.words import translate

STEPS: Final[dict[str, Step]] = {"photos": "learn", "test": "test"}
TOGETHER: Final = 8  # faces proposed for one photograph: as many as Tong Tong has of a colour
DECK: Final = frozenset(PRESETS["cards"])
TOO_LARGE: Final = message("That is too large: a photo may have 25 MB.")


def teach_views(table: Table) -> Blueprint:
    """`/teach` and what lies below it; other pages link there where sets can be taught."""
    views = Blueprint("teach", __name__, url_prefix="/teach")
    views.app_context_processor(lambda: {"teaches": table.lessons is not None})
    _add_list(views, table)
    _add_lesson(views, table)
    _add_learning(views, table)
    _add_pictures(views, table)

    @views.errorhandler(LessonError)
    def damaged(error: LessonError) -> Response:
        return fault_answer(UNPROCESSABLE, error.message)

    return views


def _add_list(views: Blueprint, table: Table) -> None:
    @views.get("")
    def show() -> Response:
        return list_page(_desk(table))

    @views.post("")
    def begin() -> AnyResponse:
        name, faces = request.form.get("name", "").strip(), faces_of(request.form)
        if isinstance(faces, Message):
            return list_page(_desk(table), faces, UNPROCESSABLE)
        fault = _desk(table).begin(name, faces, solid=are_dice(request.form))
        if fault is not None:
            return list_page(_desk(table), fault, UNPROCESSABLE)
        return _to("teach.lesson", name=name, stage="photos")

    @views.get("/<name>/delete")
    def ask_delete(name: str) -> str:
        known = [each for each in _desk(table).entries() if each.name == name]
        return render_template("unteach.html", entry=known[0] if known else abort(404))

    @views.post("/<name>/delete")
    def delete(name: str) -> AnyResponse:
        fault = _desk(table).delete(name)
        if fault is not None:
            return list_page(_desk(table), fault, HTTPStatus.CONFLICT)
        return _to("teach.show")


def _add_lesson(views: Blueprint, table: Table) -> None:
    @views.get("/<name>/<any(photos, test):stage>")
    def lesson(name: str, stage: str) -> Response:
        return lesson_page(_lesson(table, name), stage)

    @views.post("/<name>/<any(photos, test):stage>")
    def add(name: str, stage: str) -> AnyResponse:
        request.max_content_length = MOST_PHOTOS * LARGEST_PHOTO_BYTES
        lesson, told = _lesson(table, name), request.form.get("faces", "")
        faces, photos = told_faces(told), _photos()
        sender, step = request.remote_addr or "", STEPS[stage]
        fault = _fault(lesson, step, faces, photos)
        faults = (fault,) if fault else _desk(table).add(name, step, faces, photos, sender)
        place = place_of(lesson, faces, request.form.get("place", ""))
        if faults:
            return lesson_page(_lesson(table, name), stage, faults, place, told)
        return _to("teach.lesson", name=name, stage=stage, _anchor=place)

    @views.post("/<name>/<any(photos, test):stage>/accept")
    def accept(name: str, stage: str) -> AnyResponse:
        number, lesson = request.form.get("number", ""), _lesson(table, name)
        if not (number.isascii() and number.isdecimal()):
            abort(400)
        _desk(table).accept(name, int(number))
        place = place_of(lesson, (), request.form.get("place", ""))
        return _to("teach.lesson", name=name, stage=stage, _anchor=place)

    @views.post("/<name>/<any(photos, test):stage>/drop")
    def drop(name: str, stage: str) -> AnyResponse:
        number, lesson = whole_number(request.form.get("number", "")), _lesson(table, name)
        if number is None:
            abort(400)
        _desk(table).drop(name, number)
        place = place_of(lesson, (), request.form.get("place", ""))
        return _to("teach.lesson", name=name, stage=stage, _anchor=place)


def _add_learning(views: Blueprint, table: Table) -> None:
    @views.get("/<name>/learn")
    def learning(name: str) -> Response:
        return learn_page(_desk(table), _lesson(table, name))

    @views.post("/<name>/learn")
    def learn(name: str) -> AnyResponse:
        fault = _desk(table).learn(_lesson(table, name).name)
        if fault is not None:
            return learn_page(_desk(table), _lesson(table, name), fault)
        return _to("teach.learning", name=name)

    @views.get("/<name>/progress")
    def progress(name: str) -> Response:
        now = _desk(table).progress(name)
        if now is None or now.fault is not None:
            return jsonify(running=False)
        words = translate(lesson_report.progress(now))
        return jsonify(running=True, words=words, done=now.done, of=now.of)


def _add_pictures(views: Blueprint, table: Table) -> None:
    @views.get("/<name>/photo-<int:number>.jpg")
    def photo(name: str, number: int) -> Response:
        return _picture(_desk(table).photo(name, number))

    @views.get("/<name>/photo-<int:number>-<int:at>.jpg")
    def piece(name: str, number: int, at: int) -> Response:
        return _picture(_desk(table).piece(name, number, at))

    @views.get("/<name>/face-<int:at>.jpg")
    def face(name: str, at: int) -> Response:
        return _picture(_desk(table).face(name, at))


def list_page(
    desk: LessonApi, fault: Message | None = None, status: int = HTTPStatus.OK
) -> Response:
    """All sets, and the form for a new one as it was filled in."""
    drawn = render_template(
        "teach.html",
        entries=desk.entries(),
        standing=lesson_report.standing,
        fault=fault,
        form=request.form,
    )
    return make_response(drawn, status)


def lesson_page(
    lesson: Lesson, stage: str, faults: Sequence[Message] = (), place: str = "", told: str = ""
) -> Response:
    """One step's photographs; faults stand where the photographs were sent from."""
    missing = lesson.missing(STEPS[stage])
    drawn = render_template(
        "lesson.html",
        **_common(lesson, stage),
        step=STEPS[stage],
        missing=missing,
        proposed=told if place == "together" else _proposed(lesson, STEPS[stage]),
        faults=faults,
        fault_place=place,
        strangers=STRANGERS,
    )
    return make_response(drawn, UNPROCESSABLE if faults else HTTPStatus.OK)


def _proposed(lesson: Lesson, step: Step) -> str:
    """What stands in the field of several faces: those of the last photo if it has to be redone."""
    last = lesson.photos[-1:]
    if any(photo in lesson.faulty_groups(step) for photo in last):
        return " ".join(last[0].faces)
    return " ".join(lesson.next_together(step, TOGETHER))


def learn_page(desk: LessonApi, lesson: Lesson, fault: Message | None = None) -> Response:
    """What can be learned, how far it is, and what came of it."""
    now = desk.progress(lesson.name)
    running = now is not None and now.fault is None
    drawn = render_template(
        "learning.html",
        **_common(lesson, "learn"),
        missing=lesson.missing("learn"),
        progress=now if running else None,
        words=lesson_report.progress(now) if now and running else None,
        fault=fault or (now.fault if now else None),
        report=None if running else lesson.report,
        findings=lesson_report.findings,
        advice=lesson_report.advice,
    )
    return make_response(drawn, UNPROCESSABLE if fault else HTTPStatus.OK)


def _common(lesson: Lesson, stage: str) -> dict[str, Any]:
    """What the pages of a lesson have in common."""
    return {
        "lesson": lesson,
        "stage": stage,
        "most": MOST_PHOTOS,
        "is_deck": frozenset(lesson.faces) >= DECK,
        "deck": DECK,
    }


def place_of(lesson: Lesson, faces: Sequence[str], sent_from: str) -> str:
    """Where on the page a form stands: `together`, `strangers` or `face-3`."""
    if sent_from == "together" or len(faces) > 1:
        return "together"
    if tuple(faces) == (STRANGERS,) or sent_from == "strangers":
        return "strangers"
    if faces and faces[0] in lesson.faces:
        return f"face-{lesson.faces.index(faces[0])}"
    return sent_from if sent_from.startswith("face-") else "together"


def _fault(
    lesson: Lesson, step: Step, faces: Sequence[str], photos: Sequence[IO[bytes]]
) -> Message | None:
    """What is wrong with a form before any photograph is looked at."""
    strange = [face for face in faces if not lesson.knows((face,), step)]
    if strange:
        return message("“{face}” is no face of this set.", face=strange[0])
    if not faces:
        return message("Tell which faces the photo shows, from left to right, row by row.")
    if len(faces) > MOST_TOGETHER:
        return message("Photograph {most} faces together at most.", most=MOST_TOGETHER)
    if not photos:
        return message("Choose a photo first.")
    if len(photos) > MOST_PHOTOS:
        return message("Send {most} photos at once at most.", most=MOST_PHOTOS)
    return TOO_LARGE if any(_size_of(each) > LARGEST_PHOTO_BYTES for each in photos) else None


def _size_of(photo: IO[bytes]) -> int:
    """How many bytes are in a photograph's file, which is left at its start."""
    size = photo.seek(0, SEEK_END)
    photo.seek(0)
    return size


def _photos() -> list[IO[bytes]]:
    """The photographs of a form, still in their files; one that was left empty is left out."""
    files = request.files.getlist("photo")[: MOST_PHOTOS + 1]
    return [file.stream for file in files if file.filename]


def _to(endpoint: str, **values: Any) -> AnyResponse:
    return redirect(url_for(endpoint, **values), HTTPStatus.SEE_OTHER)


def _picture(picture: bytes | None) -> Response:
    """Kept by the browser, but asked about: a lesson may be begun anew under its name."""
    if picture is None:
        abort(404)
    response = Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response


def _desk(table: Table) -> LessonApi:
    return table.lessons if table.lessons is not None else abort(404)


def _lesson(table: Table, name: str) -> Lesson:
    """The lesson of that name; 404 without one."""
    return _desk(table).lesson(name) or abort(404)
