"""Draw docs/images/wiring.svg and camera-arm.svg: `python docs/draw_wiring.py`.

The pins are the settings' defaults, their places gpiozero's, and every length follows from a lens
and a die, so the drawings can't say what isn't so. A test draws them again and compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import radians, tan
from pathlib import Path
from typing import Any, Final

from gpiozero.pins.pi import PiBoardInfo

from web.shared.settings import Settings

IMAGES: Final = Path(__file__).parent / "images"
PI_4: Final = 0xC03111  # its forty pins are those of every Pi with forty
PINS, LAMP_PINS = Settings().buttons, Settings().lamps
BUTTONS: Final = {"KEEP": PINS.keep, "REROLL": PINS.reroll, "UNDO": PINS.undo}
LAMPS: Final = {
    "ready": LAMP_PINS.ready,
    "reading": LAMP_PINS.reading,
    "please confirm": LAMP_PINS.confirm,
    "hurry": LAMP_PINS.hurry,
}
# Of LEDs that 3.3 V light well: blue and white ones drop almost all of it themselves.
COLOURS: Final = {"ready": "#2e9e4f", "please confirm": "#d9a400"}
INK: Final = "#1c1f24"
WIRE: Final = "#8a4b08"
GROUND: Final = "#000"
MIDDLE, TOP, ROW, APART = 450, 60, 22, 78
LEFT: Final = 1  # the header's column of odd numbers

DIE_MM: Final = 16
LENSES: Final = {  # degrees from left to right, as their makers state them
    "Camera Module 3": 66.0,
    "Camera Module 2": 62.2,
    "phone, 26 mm": 69.4,
    "webcam, 78° diagonal": 70.4,
}
HEIGHTS_MM: Final = (250, 350, 450)
ASIDE_MM: Final = 60  # the post's foot stays out of the picture


def text(  # noqa: PLR0913 -- as SVG has them
    x: float, y: float, words: str, anchor: str = "start", size: int = 14, *, colour: str = INK
) -> str:
    """A line of text."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">'
        f"{words}</text>"
    )


def line(*points: tuple[float, float], colour: str = INK, width: float = 2, dash: str = "") -> str:
    """A line through points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    stroke = f'stroke="{colour}" stroke-width="{width:g}"{dashes}'
    return f'<polyline points="{path}" fill="none" {stroke}/>'


def dot(x: float, y: float, radius: float, colour: str) -> str:
    """A filled circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}" stroke="{INK}"/>'


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    """A rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}" '
        f'stroke="{INK}"/>'
    )


def drawing(width: int, height: int, title: str, parts: Iterator[str]) -> str:
    """A whole SVG file, on white so that it can be read in a dark page as well."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="sans-serif">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def wiring() -> str:
    """Buttons and lamps on the header, seen from above."""
    return drawing(900, 540, "Buttons and lamps on the Raspberry Pi's header", _wiring())


def _wiring() -> Iterator[str]:
    pins = PiBoardInfo.from_revision(PI_4).headers["J8"].pins
    used = {f"GPIO{pin}" for pin in (*BUTTONS.values(), *LAMPS.values())}
    yield text(MIDDLE, 30, "The header; the USB sockets are below", "middle", 16)
    yield box(MIDDLE - 26, TOP - 14, 52, 20 * ROW + 6, "#e9ecef")
    yield from _group(pins, BUTTONS)
    yield from _group(pins, LAMPS)
    for number, pin in pins.items():
        x, y = _place(pin)
        fill = GROUND if pin.name == "GND" else WIRE if pin.name in used else "#fff"
        yield dot(x, y, 9, fill)
        yield text(x, y + 3.5, str(number), "middle", 10, colour=INK if fill == "#fff" else "#fff")
    yield text(20, 520, "Each button: from its pin to ground. Its pull-up is in the Pi.")
    yield text(880, 520, "Each LED: from its pin through 330 Ω; its flat side to ground.", "end")


def in_order(wanted: Mapping[str, int]) -> list[tuple[int, str]]:
    """These components as the header has their pins: each pin's number on it, and the name."""
    pins = PiBoardInfo.from_revision(PI_4).headers["J8"].pins
    number_of = {pin.name: number for number, pin in pins.items()}
    return sorted((number_of[f"GPIO{pin}"], name) for name, pin in wanted.items())


def _place(pin: Any) -> tuple[float, float]:
    return MIDDLE + (-12 if pin.col == LEFT else 12), TOP + ROW * (pin.row - 1)


def _group(pins: Mapping[int, Any], wanted: Mapping[str, int]) -> Iterator[str]:
    """Components of one side in the order of their pins, so that no wires cross."""
    parts = in_order(wanted)
    (column,) = {pins[number].col for number, _ in parts}
    out = -1 if column == LEFT else 1
    anchor = "end" if column == LEFT else "start"
    near, rail = MIDDLE + out * 130, MIDDLE + out * 290
    ground = max(
        number
        for number, pin in pins.items()
        if pin.name == "GND" and pin.col == column and number < parts[0][0]
    )
    first = TOP + 2.2 * ROW
    for place, (number, name) in enumerate(parts):
        y = first + APART * (place + 1)
        yield line(_place(pins[number]), (near, y), colour=WIRE)
        yield line((near, y), (rail, y))
        yield from (_button if wanted is BUTTONS else _lamp)(near + out * 80, y, out, name)
        yield text(rail + out * 12, y - 2, name, anchor, 16)
        yield text(rail + out * 12, y + 16, f"{pins[number].name}, pin {number}", anchor, 12)
    low = first + APART * len(parts)
    yield line(_place(pins[ground]), (near, first), (rail, first), (rail, low), colour=GROUND)
    yield text(rail + out * 12, first + 5, f"ground, pin {ground}", anchor, 12)


def _button(x: float, y: float, _out: int, _name: str) -> Iterator[str]:
    yield line((x - 18, y), (x + 18, y), colour="#fff", width=4)
    yield line((x - 20, y - 12), (x + 20, y - 12))
    yield line((x, y - 12), (x, y - 22), width=4)
    yield dot(x - 18, y, 4, "#fff")
    yield dot(x + 18, y, 4, "#fff")


def _lamp(x: float, y: float, out: int, name: str) -> Iterator[str]:
    yield box(x - out * 25 - 25, y - 8, 50, 16, "#fff")
    yield text(x - out * 25, y + 4, "330 Ω", "middle", 11)
    left = x + out * 26
    tip = left + out * 20
    corners = f"{left:g},{y - 12:g} {left:g},{y + 12:g} {tip:g},{y:g}"
    yield f'<polygon points="{corners}" fill="{COLOURS.get(name, "#d03b2f")}" stroke="{INK}"/>'
    yield line((tip, y - 12), (tip, y + 12))


def field_mm(height_mm: float, lens: str) -> float:
    """How wide the table is that a camera sees at that height, looking straight down."""
    return 2 * height_mm * tan(radians(LENSES[lens] / 2))


def camera_arm() -> str:
    """A camera on an arm, from the side, and what each lens sees from three heights."""
    return drawing(900, 520, "A camera arm, with its measures", _camera_arm())


def _camera_arm() -> Iterator[str]:
    lens, height = "Camera Module 3", HEIGHTS_MM[1]
    wide = field_mm(height, lens)
    table, post, scale = 400, 70, 0.86
    eye = post + scale * (wide / 2 + ASIDE_MM)
    top = table - scale * height
    yield line((20, table), (560, table), width=4)
    yield box(post - 8, top - 20, 16, table - top + 20, "#c9a26b")
    yield box(post - 40, table - 12, 80, 12, "#c9a26b")
    yield box(post, top - 20, eye - post + 25, 14, "#c9a26b")
    yield box(eye - 14, top - 6, 28, 12, "#3d9a50")
    half = scale * wide / 2
    yield line((eye, top + 6), (eye - half, table), dash="6 5")
    yield line((eye, top + 6), (eye + half, table), dash="6 5")
    die = scale * DIE_MM
    for place in (-0.5, -0.2, 0.1, 0.35, 0.6):
        yield box(eye + place * half, table - die, die, die, "#f4f1ea")
    yield from _measure((540, top), (540, table), f"{height} mm")
    yield from _measure((eye - half, table + 30), (eye + half, table + 30), f"{wide:.0f} mm seen")
    yield from _measure((post, top - 45), (eye, top - 45), f"{wide / 2 + ASIDE_MM:.0f} mm")
    yield text(20, 20, f"{lens} ({LENSES[lens]:g}°), straight down, dice of {DIE_MM} mm", size=16)
    for row, words in enumerate(
        (
            "Post: a batten of 20 x 20 mm, screwed to a board of 200 x 120 mm that a clamp holds.",
            "Arm: another, at a right angle by a steel bracket; the camera hangs below its end.",
            "Light from two sides, so that no lamp is mirrored in a die.",
        )
    ):
        yield text(20, 466 + 21 * row, words)
    columns = [(770 + 60 * at, each) for at, each in enumerate(HEIGHTS_MM)]
    yield text(610, 90, "Height, mm", size=13)
    for x, each in columns:
        yield text(x, 90, f"{each}", "end", 13)
    for row, name in enumerate(LENSES):
        y = 122 + 62 * row
        yield text(610, y, name, size=13)
        yield text(610, y + 19, "sees, mm", size=12)
        yield text(610, y + 36, "a die fills", size=12)
        for x, each in columns:
            seen = field_mm(each, name)
            yield text(x, y + 19, f"{seen:.0f}", "end", 12)
            yield text(x, y + 36, f"{100 * DIE_MM / seen:.1f} %", "end", 12)
    yield text(610, 390, "A die should fill 2 % at least;", size=12)
    yield text(610, 407, "5 to 15 % are comfortable.", size=12)


def _measure(start: tuple[float, float], end: tuple[float, float], words: str) -> Iterator[str]:
    level = start[1] == end[1]
    across = (0, 6) if level else (6, 0)
    for x, y in (start, end):
        yield line((x - across[0], y - across[1]), (x + across[0], y + across[1]))
    yield line(start, end, width=1)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    yield text(x, y - 6, words, "middle") if level else text(x - 8, y, words, "end")


DRAWINGS: Final = {"wiring.svg": wiring, "camera-arm.svg": camera_arm}


def main() -> None:
    """Write the files."""
    for name, draw in DRAWINGS.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
