"""Parts of pages in pieces."""

from __future__ import annotations

from web.hub.pieces import Part
from web.hub.rendered_part import RenderedPart

TWO = "<ul><!--piece a--><b id=a>1</b><!--/piece--><!--piece b--><b id=b>1</b><!--/piece--></ul>"


def test_a_part_knows_its_pieces() -> None:
    """By their names, and what stands around them."""
    part = Part.of(TWO)
    assert part.pieces == {"a": "<b id=a>1</b>", "b": "<b id=b>1</b>"}
    assert part.frame == "<ul><!--a--><!--b--></ul>"


def test_what_is_new_is_told_piece_by_piece() -> None:
    """As long as nothing else is otherwise; then all of it is sent."""
    before = Part.of(TWO)
    assert before.since(Part.of(TWO)) == {}
    later = Part.of(TWO.replace("id=b>1", "id=b>2"))
    assert later.since(before) == {"b": "<b id=b>2</b>"}
    longer = Part.of(TWO.replace("</ul>", "<!--piece c--><b id=c>1</b><!--/piece--></ul>"))
    assert longer.since(before) is None
    assert Part.of(TWO.replace("<ul>", "<ol>")).since(before) is None


def test_the_event_is_of_pieces_where_that_is_enough() -> None:
    """And else of the whole part."""
    before, later = RenderedPart.of(TWO), RenderedPart.of(TWO.replace("id=b>1", "id=b>2"))
    assert later.since(before) == b'event: pieces\ndata: {"b": "<b id=b>2</b>"}\n\n'
    assert RenderedPart.of("<p>").since(before) == b'event: state\ndata: "<p>"\n\n'
