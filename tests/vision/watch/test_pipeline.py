"""From frames to proposals: each throw once, and never while anything moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import repeat

import cv2
import numpy as np
import pytest

from scoreboard.message import message
from scoreboard.table.proposal import HEALTHY, Health, Light, Proposal
from scoreboard.table.requests import HealthChanged, Proposed, TableStatus, TableStatusChanged
from tests.vision.fake_table import KnowingRecogniser, Table, die
from tests.vision.watch.evening import FIVE, START, Evening, moved
from vision.capture.frame import Frame, PlayArea
from vision.quality.health import HealthWatch
from vision.quality.tray import TrayCorners
from vision.read.observation import Detection, Observation, scaled

BLURRED = message("A die is blurred.")


def test_a_roll_is_proposed_once_when_it_rests() -> None:
    """A first throw: moving, reading, still; one proposal, however long it lies there."""
    evening = Evening()
    assert evening.hand(()) == []
    (made,) = evening.rest(FIVE, "13356", frames=50)
    assert str(made.roll) == "13356"
    assert (made.width, made.height) == (640, 480)
    assert evening.sights == [TableStatus.MOVING, TableStatus.READING, TableStatus.STILL]
    assert len(evening.recogniser.asked) == 2
    assert evening.pictures.picture(made.frame) is not None
    assert evening.pictures.latest() is not None


def test_every_roll_of_a_turn_is_proposed_once() -> None:
    """After a reroll some dice stay, others come down elsewhere: one proposal each time."""
    evening = Evening()
    rolls = []
    places = FIVE
    for number, faces in enumerate(("13356", "33124", "33333")):
        assert evening.hand(places) == []
        places = moved(FIVE, 90 * number, slice(2 if number else 0, 5))
        made = evening.rest(places, faces, frames=20)
        rolls += [str(each.roll) for each in made]
    assert rolls == ["13356", "12334", "33333"]


def test_a_hand_over_untouched_dice_proposes_nothing() -> None:
    """A hand that comes, pauses and goes leaves the last proposal as it is."""
    evening = Evening()
    evening.rest(FIVE, "13356")
    made = evening.hand(FIVE)
    made += evening.watch(evening.table.picture(FIVE, hand=290) for _ in range(12))
    assert made + evening.rest(FIVE, "13356", frames=30) == []
    assert TableStatus.MOVING in evening.sights
    assert evening.sights[-1] is TableStatus.STILL


def test_dice_taken_up_leave_a_proposal_of_the_others() -> None:
    """Dice that went are a change of the tray; what it means is for the table to say."""
    evening = Evening()
    evening.rest(FIVE, "13356")
    assert evening.hand(FIVE[1:3]) == []
    assert [str(m.roll) for m in evening.rest(FIVE[1:3], "33", frames=30)] == ["33"]
    places = (*FIVE[1:3], (100, 300), (200, 300), (300, 300))
    assert [str(m.roll) for m in evening.rest(places, "33666", frames=20)] == ["33666"]
    evening.hand(())
    assert evening.rest((), "", frames=20) == []


def test_dice_under_a_resting_hand_have_not_gone() -> None:
    """A hand that lies on the tray for long hides dice; nothing is proposed before or after."""
    evening = Evening()
    evening.rest(FIVE, "13356")
    evening.hand(FIVE)
    evening.lay((*FIVE[:2], *FIVE[4:]), "136")
    assert evening.watch(evening.table.picture(FIVE, "13356", hand=440) for _ in range(40)) == []
    assert len(evening.recogniser.asked) > 2
    assert evening.rest(FIVE, "13356", frames=20) == []


@pytest.mark.parametrize("frames_a_second", [4, 5, 7.5, 30])
def test_a_roll_is_proposed_within_half_a_second_of_rest(frames_a_second: float) -> None:
    """Whatever the camera's pace: not while the dice roll, and at most half a second later."""
    evening = Evening(seconds_a_frame=1 / frames_a_second)
    evening.rest(FIVE, "13356", frames=2 * math.ceil(frames_a_second))
    for step in range(math.ceil(frames_a_second)):
        assert evening.rest(moved(FIVE, 4 + 6 * step, slice(0, 5)), "11111", frames=1) == []
    places = moved(FIVE, 200, slice(0, 5))
    assert evening.rest(places, "24456", frames=1) == []
    rested = evening.frames
    (made,) = evening.rest(places, "24456", frames=3 * math.ceil(frames_a_second))
    assert 0.25 < (made.frame - rested) / frames_a_second < 0.501


@pytest.mark.parametrize("frames_a_second", [5, 30])
def test_a_doubt_of_a_single_reading_does_not_stick(frames_a_second: int) -> None:
    """A die that one frame leaves in doubt is read in more, within the half second."""
    evening = Evening(seconds_a_frame=1 / frames_a_second)
    evening.read_by(Told(iter([DOUBTED] + [SEEN] * 9)))
    (made,) = evening.bare(3 * frames_a_second)
    assert made.frame <= 1 + frames_a_second / 2
    assert (made.doubts == ()) == (frames_a_second > 5)


def test_a_doubt_of_most_readings_stays() -> None:
    """A die that stays in doubt is proposed in time, with its doubt."""
    evening = Evening()
    evening.read_by(Told(iter([DOUBTED, SEEN, DOUBTED, DOUBTED])))
    (made,) = evening.bare()
    assert made.frame == 6
    assert made.doubts == (LOOK,)


def test_a_shaky_camera_proposes_each_roll_once() -> None:
    """A camera that trembles neither hinders a proposal nor makes a second one."""
    evening = Evening(sway_pixels=4.0)
    evening.hand(())
    assert len(evening.rest(FIVE, "13356", frames=60)) == 1
    assert evening.frames - 60 < evening.recogniser.asked[-1].sequence < evening.frames - 50
    evening.hand(FIVE)
    assert len(evening.rest(moved(FIVE, 120, slice(0, 2)), "24356", frames=40)) == 1


def test_another_scene_at_once_is_proposed() -> None:
    """A clip that is cut shows other dice from one frame to the next; they are a throw."""
    evening = Evening()
    evening.rest(FIVE, "13356")
    evening.table = Table(seed=99)
    (made,) = evening.rest(moved(FIVE, 60, slice(0, 4)), "22446", frames=30)
    assert made.frame == 15 + 1 + 4


def test_a_change_of_light_proposes_nothing() -> None:
    """Exposure that steps or drifts is no throw."""
    evening = Evening()
    evening.rest(FIVE, "13356")
    gains = (0.7, 0.7, 0.5, *[0.5 + 0.02 * step for step in range(30)], *[1.3] * 20)
    assert evening.watch(evening.table.picture(FIVE, "13356", gain=gain) for gain in gains) == []


@pytest.mark.parametrize("read", ["13456", "1335", "333566"])
def test_untouched_dice_that_are_read_otherwise_propose_nothing(read: str) -> None:
    """A hand passed over, and a wavering reader now sees other dice: they look as they did."""
    evening = Evening()
    evening.rest(FIVE, "13356")
    evening.hand(FIVE)
    asked = len(evening.recogniser.asked)
    places = (*FIVE, (60, 64))[: len(read)]
    evening.lay(places, read)
    assert evening.watch(evening.table.picture(FIVE, "13356") for _ in range(30)) == []
    assert len(evening.recogniser.asked) > asked


def test_read_again_proposes_the_same_dice_anew() -> None:
    """After a rejected proposal the same untouched dice are read and proposed once more."""
    evening = Evening()
    evening.rest(FIVE, "13356")
    evening.pipeline.read_again()
    assert [str(m.roll) for m in evening.rest(FIVE, "13356", frames=40)] == ["13356"]
    assert evening.sights[-3:] == [TableStatus.STILL, TableStatus.READING, TableStatus.STILL]


def one_die(face: str) -> Observation:
    """A reading of one die."""
    return Observation(0, "told", (die(face, 10, 10),))


LOOK, UNTAUGHT = message("Look at this die."), message("Nobody taught me these.")
SEEN = one_die("3")
DOUBTED = replace(SEEN, doubts=(LOOK,))


@dataclass
class Told:
    """A recogniser whose readings are told one by one."""

    readings: Iterator[Observation]
    name: str = "told"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        return next(self.readings)


def test_readings_that_differ_take_a_third_and_a_doubt() -> None:
    """Two readings that differ are not believed: a third decides, and a doubt stays."""
    evening = Evening()
    evening.read_by(Told(map(one_die, "353")))
    made = evening.bare()
    assert [str(m.roll) for m in made] == ["3"]
    assert len(made[0].doubts) == 1


def test_motion_between_two_readings_starts_anew() -> None:
    """Dice pushed while they are read: what was read before counts for nothing."""
    evening = Evening()
    evening.read_by(Told(map(one_die, "166666")))
    while TableStatus.READING not in evening.sights[-1:]:
        assert evening.bare(1) == []
    made = evening.watch(evening.table.picture(((200, 300),)) for _ in range(20))
    assert [str(m.roll) for m in made] == ["6"]
    assert made[0].doubts == ()


def test_a_photo_by_itself_is_proposed_at_once() -> None:
    """An uploaded photo needs no stillness; the same photo once more is one more proposal."""
    evening = Evening()
    evening.lay(FIVE, "13356")
    photo = evening.table.picture(FIVE)
    assert len(evening.feed(photo, single=True)) == 1
    assert len(evening.feed(photo, single=True)) == 1
    assert evening.sights == [TableStatus.READING, TableStatus.STILL] * 2
    assert evening.feed(None) == []
    evening.pipeline.read_again()
    assert [str(m.roll) for m in evening.feed(None)] == ["13356"]
    assert evening.feed(None) == []


def test_a_photo_of_before_the_start_is_marked() -> None:
    """It is told how it is read; read again it is as good as any."""
    evening = Evening()
    evening.lay(FIVE, "13356")
    frame = Frame(0, START, evening.table.picture(FIVE), single=True, known=True)
    _, still, made = evening.pipeline.feed(frame)
    assert isinstance(still, TableStatusChanged)
    assert "tap “Read again”" in str(still.cause)
    assert isinstance(made, Proposed)
    assert made.known
    evening.pipeline.read_again()
    _, still, made = evening.pipeline.feed(None)
    assert still == TableStatusChanged(TableStatus.STILL)
    assert isinstance(made, Proposed)
    assert not made.known


def test_a_photo_without_dice_is_asked_about() -> None:
    """Nothing is proposed, and the player is asked whether that is right."""
    evening = Evening()
    frame = Frame(0, START, evening.table.picture(()), single=True)
    reading, still = evening.pipeline.feed(frame)
    assert reading == TableStatusChanged(TableStatus.READING)
    assert isinstance(still, TableStatusChanged)
    assert still.cause is not None
    assert "is that right?" in str(still.cause)


@pytest.mark.parametrize("single", [True, False])
def test_what_hinders_a_reader_is_reported_at_rest(*, single: bool) -> None:
    """Once a rest, and without a word against the camera."""
    evening = Evening()
    evening.read_by(Told(repeat(Observation(0, "told", hindrance=UNTAUGHT))))
    frames = 1 if single else 30
    picture = evening.table.picture(FIVE, "13356")
    at = (START + number * timedelta(seconds=0.1) for number in range(frames))
    fed = [evening.pipeline.feed(Frame(0, moment, picture, single=single)) for moment in at]
    sights = [each for some in fed for each in some if isinstance(each, TableStatusChanged)]
    assert sights[-1] == TableStatusChanged(TableStatus.STILL, UNTAUGHT)
    assert [each.cause for each in sights].count(UNTAUGHT) == 1
    assert TableStatus.LOST not in [each.status for each in sights]


def test_read_again_without_any_picture_waits() -> None:
    """Asked to read again before there was a picture, the pipeline does nothing yet."""
    evening = Evening()
    evening.pipeline.read_again()
    assert evening.feed(None) == []
    assert len(evening.rest(FIVE, "13356", frames=20)) == 1


def test_a_camera_that_returns_does_not_propose_the_same_dice() -> None:
    """Lost and found again, the camera sees the dice it knew, and then a new throw."""
    evening = Evening()
    evening.rest(FIVE, "13356")
    evening.pipeline.lose()
    assert evening.rest(FIVE, "13356", frames=20) == []
    assert evening.sights[-3:] == [TableStatus.MOVING, TableStatus.READING, TableStatus.STILL]
    evening.pipeline.lose()
    other = moved(FIVE, 200, slice(0, 5))
    assert len(evening.rest(other, "13356", frames=20)) == 1


@pytest.mark.parametrize(("reach", "proposals"), [(80, 1), (300, 0)], ids=["beside", "over"])
def test_what_moves_beside_the_play_area_stops_no_reading(reach: int, proposals: int) -> None:
    """A hand that plays with a cup there; over the area it does."""
    area = PlayArea(((0.0, 0.0), (1.0, 0.0), (1.0, 0.7), (0.0, 0.7)))
    evening = Evening(recogniser=KnowingRecogniser((die("2", 60, 60),)), within=area)
    reaches = (reach + 12 * (number % 5) for number in range(20))
    made = evening.watch(evening.table.picture(((60, 60),), "2", hand=each) for each in reaches)
    assert len(made) == proposals


@dataclass
class MisledRecogniser(KnowingRecogniser):
    """Takes a blurred die for a 5, with a doubt, as a reader does."""

    blurred: set[int] = field(default_factory=set)

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        """The dice as told, the first one otherwise where it is blurred."""
        seen = super().__call__(frame, expected)
        if frame.sequence not in self.blurred:
            return seen
        misread = replace(seen.detections[0], label="5")
        return replace(seen, detections=(misread, *seen.detections[1:]), doubts=(BLURRED,))


@pytest.mark.parametrize("at", [(3,), (3, 4), (3, 5)], ids=str)
def test_a_blurred_frame_has_no_vote(at: tuple[int, ...]) -> None:
    """A knock on the table too slight to be seen as motion: the sharp frames alone are counted."""
    recogniser = MisledRecogniser((die("6", 300, 200), die("1", 100, 100)), blurred=set(at))
    evening, made = Evening(recogniser=recogniser, frames=-1), list[Proposal]()
    for number in range(12):
        picture = evening.table.picture(((300, 200), (100, 100)), "61")
        if number in at:
            picture[190:250, 290:350] = cv2.blur(picture, (3, 3))[190:250, 290:350]
        made += evening.feed(picture)
    (read,) = made
    assert {frame.sequence for frame in recogniser.asked} & set(at)
    assert (str(read.roll), read.doubts) == ("16", ())


def test_doubts_and_the_rectified_picture_are_handed_on() -> None:
    """With the tray's corners the dice are read, and shown, in the tray's own picture."""
    recogniser = KnowingRecogniser((die("2", 10, 10),), (message("Look."),))
    corners = TrayCorners(((0, 0), (0.5, 0), (0.5, 0.5), (0, 0.5)))
    evening = Evening(recogniser=recogniser, within=corners)
    (made,) = evening.feed(evening.table.picture(), single=True)
    assert (made.width, made.height) == (320, 240)
    assert made.doubts == (message("Look."),)
    assert recogniser.asked[0].image.shape == (240, 320, 3)
    pictures = evening.pictures
    for kept in (pictures.picture(made.frame), pictures.latest(), pictures.newest()):
        assert kept is not None
        assert (kept.width, kept.height) == (320, 240)


@pytest.mark.parametrize("single", [True, False], ids=["photo", "stream"])
def test_the_reader_is_told_the_play_area(*, single: bool) -> None:
    """The picture stays whole; what lies outside of the area is the reader's to leave out."""
    recogniser = KnowingRecogniser((die("2", 60, 60),))
    area = PlayArea(((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)))
    evening = Evening(recogniser=recogniser, within=area)
    for _ in range(6):
        evening.feed(Table().picture(((60, 60),)), single=single)
    asked = recogniser.asked[0]
    assert (asked.area, asked.image.shape) == (area, (480, 640, 3))


@pytest.mark.parametrize("later", [0.5, 1.5])
def test_frames_of_two_sizes_are_one_roll(later: float) -> None:
    """A phone shrinks its pictures in the middle of a reading; later the same dice are no new roll.

    The pieces are told in the pixels of the first picture, and the photo is what the camera gave.
    """
    evening, made = Evening(), list[Proposal]()
    large = {scale: resized_dice("13356", scale) for scale in (1.0, later)}
    for scale, frames in ((1.0, 4), (later, 12), (1.0, 12)):
        evening.recogniser.dice = large[scale]
        for _ in range(frames):
            picture = cv2.resize(evening.table.picture(FIVE, "13356"), None, fx=scale, fy=scale)
            made += evening.feed(np.asarray(picture, np.uint8))
    assert len(evening.recogniser.asked) > 1
    assert {each.image.shape[1] for each in evening.recogniser.asked} == {640, round(640 * later)}
    (roll,) = made
    shown = evening.pictures.picture(roll.frame)
    assert shown is not None
    assert (shown.width, shown.height) == (640, 480)
    jpeg = cv2.imdecode(np.frombuffer(shown.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert jpeg is not None
    assert jpeg.shape[1] == round(640 * later)
    assert (str(roll.roll), roll.doubts, roll.width, roll.height) == ("13356", (), 640, 480)
    assert [die.box for die in roll.sightings] == [die.box for die in large[1.0]]
    evening.hand(FIVE)
    evening.recogniser.dice = large[later]
    for _ in range(12):
        picture = cv2.resize(evening.table.picture(FIVE, "13356"), None, fx=later, fy=later)
        assert evening.feed(np.asarray(picture, np.uint8)) == []


def resized_dice(faces: str, scale: float) -> tuple[Detection, ...]:
    """What is read at FIVE in a picture of so many times the size."""
    dice = Observation(0, "", tuple(die(face, *at) for face, at in zip(faces, FIVE, strict=True)))
    return scaled(dice, scale).detections


def test_tiles_keep_their_corners_in_another_size() -> None:
    """As dice their boxes."""
    tile = replace(die("R7", 10, 20), quad=((10, 20), (50, 20), (50, 60), (10, 60)))
    (half,) = scaled(Observation(0, "", (tile,)), 0.5).detections
    corners = ((5.0, 10.0), (25.0, 10.0), (25.0, 30.0), (5.0, 30.0))
    assert (half.box, half.quad) == ((5.0, 10.0, 25.0, 30.0), corners)


RED = Health(Light.RED, (message("It is too dark."),))
AMBER = Health(Light.AMBER, (message("It is rather dark."),))


@dataclass
class Examiner:
    """Says of the table what the test says, and notes what it was shown."""

    health: Health | None = HEALTHY
    shown: list[tuple[Frame, bool]] = field(default_factory=list)

    def __call__(self, frame: Frame, *, at_rest: bool) -> Health | None:
        self.shown.append((frame, at_rest))
        return self.health


def examined(examine: Callable[..., Health | None]) -> Evening:
    """A table with two dice, whose pictures are judged."""
    return Evening(
        recogniser=KnowingRecogniser((die("2", 100, 100), die("5", 300, 200))), examine=examine
    )


def test_red_reads_nothing_until_it_is_fixed() -> None:
    """The dice that lay there all the time are proposed once, when they can be seen."""
    examine = Examiner(RED)
    evening = examined(examine)
    assert evening.bare(12) == []
    assert (evening.lights, evening.recogniser.asked) == ([RED], [])
    examine.health = HEALTHY
    assert len(evening.bare(12)) == 1
    assert evening.lights == [RED, HEALTHY]


@pytest.mark.parametrize("health", [AMBER, None])
def test_amber_and_unknown_read_on(health: Health | None) -> None:
    """What is only worse than it could be stops nobody."""
    assert len(examined(Examiner(health)).bare(12)) == 1


def test_the_examiner_sees_the_pictures_as_the_camera_gave_them() -> None:
    """Before they are rectified, and it knows when the table is at rest."""
    examine = Examiner()
    evening = Evening(within=TrayCorners(((0, 0), (0.5, 0), (0.5, 0.5), (0, 0.5))), examine=examine)
    evening.bare(10)
    assert {frame.image.shape for frame, _ in examine.shown} == {(480, 640, 3)}
    assert [at_rest for _, at_rest in examine.shown][0::9] == [False, True]


def test_a_photo_that_cannot_be_read_is_answered_with_the_reason() -> None:
    """The sender of a single photo is not left waiting."""
    evening = examined(Examiner(RED))
    photo = Frame(0, START, evening.table.picture(), single=True)
    changed, answered = evening.pipeline.feed(photo)
    assert changed == HealthChanged(RED)
    assert isinstance(answered, TableStatusChanged)
    assert answered.status is TableStatus.STILL
    assert str(answered.cause) == "The photo was not read. It is too dark."


def test_a_real_watch_stops_at_night_and_goes_on_in_the_morning() -> None:
    """The lamp goes out: nothing is proposed, although a throw was made; then it is."""
    evening = examined(HealthWatch())
    assert len(evening.bare(12)) == 1
    evening.pipeline.read_again()
    assert evening.bare(12, gain=0.1) == []
    assert len(evening.bare(40)) == 1
