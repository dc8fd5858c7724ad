"""The word that a table is told, out of a look at its tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoreboard.delivery import Held
from scoreboard.hub.look import Look
from scoreboard.hub.sitting import Results, result_words, results_at, sitting_word
from scoreboard.phrase import Phrase, phrase
from scoreboard.wire.sentence import Sentence
from scoreboard.wire.word import Word


def word_for(look: Look, table: int, wanted: Mapping[str, Held], problem: Phrase | None) -> Word:
    """What the table with this number has to know; `problem` is told unless there is more to say.

    Its version is that of the last happening that changed it.
    """
    word = Word(
        version=look.changes.last(table), place=table, title=look.header.title, wanted=wanted
    )
    played = look.state.last_round
    seated = None if played is None else played.table(table)
    if played is None or seated is None:
        return _saying(word, problem)
    results = results_at(played, table)
    told = replace(
        word,
        sitting=sitting_word(look.state, played, seated, results),
        results=result_words(played, results),
    )
    return _saying(told, _dispute(results) or problem)


def _saying(word: Word, notice: Phrase | None) -> Word:
    if notice is None:
        return word
    return replace(word, notice=str(notice), said=Sentence.of(notice))


def _dispute(results: Results) -> Phrase | None:
    disputed = [game for game, reported in results.items() if reported.phase == "disputed"]
    if not disputed:
        return None
    return phrase("Game {game} is disputed: the referee settles it. Play on.", game=disputed[0])
