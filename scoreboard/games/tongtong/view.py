"""What players see of a match: offers, scoresheet, turn, readings judged, events in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from scoreboard.games.engine.game import (
    Awaited,
    Entry,
    ExpectedPieces,
    Judgement,
    Offer,
    OpenOffer,
    PieceGroup,
    Remark,
    Turn,
)
from scoreboard.games.engine.scoresheet import Cell, Row, RowKind, Scoresheet
from scoreboard.games.tongtong import acts, rules
from scoreboard.games.tongtong.cards import BONUS, CARD_COLOURS, Card, Cards, Piles, named
from scoreboard.games.tongtong.house import MISSIONS, NAMED
from scoreboard.games.tongtong.state import GAMES, TRICKS, State, grand
from scoreboard.message import Message, listed, message

AnyOffer = Offer[acts.Command] | OpenOffer[acts.Command]


def offers(state: State) -> tuple[AnyOffer, ...]:
    """Every act that the rules accept now.

    The keys: `mission:<name>`, `leader:<seat>`, `play:<card>`; `hand:<seat>` and `piles:<seat>`
    (open, to be filled with cards and with piles). Hands are optional, and piles are entered only
    without cards.
    """
    return () if state.is_finished else (*_chosen(state), *_hands(state), *_piles(state))


def _chosen(state: State) -> Iterator[AnyOffer]:
    """The mission (TT-2, TT-14), who holds red 8 (TT-3), the card that is played (TT-4)."""
    for mission in MISSIONS:
        if rules.mission_refusal(state, mission.name) is None:
            key, choice = f"mission:{mission.name}", acts.MissionChosen(mission.name)
            yield Offer(key, mission.title, "TT-14", choice, by_lot=True)
    for seat, player in enumerate(state.players):
        if rules.leader_refusal(state, player) is None:
            label = message("{player} holds red 8", player=player)
            yield Offer(f"leader:{seat}", label, "TT-3", acts.LeaderNamed(player))
    for card in state.deck:
        if rules.card_refusal(state, card) is None:
            yield Offer(f"play:{card}", named(card), "TT-4", acts.PlayCard(card), piece=str(card))


def _hands(state: State) -> Iterator[AnyOffer]:
    """TT-2."""
    for seat, player in enumerate(state.players):
        if rules.hand_refusal(state, player) is None:
            known, label = state.deal.hands[seat], message("The hand of {player}", player=player)
            question = message("Which eight cards does {player} hold?", player=player)
            hint = message("R, B, G, P or Y for the colour and the number, as in R8 B1 G4")
            entry = Entry(question, hint, "cards", written=str(known) if known.cards else "")
            domain, fill = rules.hand_domain(state, player), partial(acts.HandShown, player)
            yield OpenOffer(f"hand:{seat}", label, "TT-2", domain, fill, entry, aside=True)


def _piles(state: State) -> Iterator[AnyOffer]:
    """TT-7, TT-9."""
    for seat, player in enumerate(state.players):
        if rules.piles_refusal(state, player) is None:
            aside, label = not state.house.quick, message("The piles of {player}", player=player)
            question = message("What lies on top of {player}’s piles?", player=player)
            hint = message("the top of each pile, then + and how many 6s were won: R5 B3 +2")
            known = str(state.deal.piles[seat]) if aside else ""
            entry = Entry(question, hint, "cards", written=known)
            domain, fill = rules.piles_domain(state, player), partial(acts.PilesEntered, player)
            yield OpenOffer(f"piles:{seat}", label, "TT-7", domain, fill, entry, aside=aside)


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet, rows in the order in which they are filled."""
    teams = state.house.teams
    label = message("Total of the partners") if teams else message("Grand total")
    rule = "TT-15" if teams else "TT-13"
    totals = [grand(state, seat) for seat in range(len(state.players))]
    cells = tuple(Cell(points=total if state.games else None, rule=rule) for total in totals)
    games = (row for number in range(1, GAMES + 1) for row in _game_rows(state, number))
    return Scoresheet(
        game="tongtong",
        players=state.players,
        rows=(*games, Row("grand", label, "total", "totals", cells, None, rule)),
        current=state.deal.seat,
        options=state.house.printed,
    )


def _game_rows(state: State, number: int) -> Iterator[Row]:
    """One game: the sum, its mission points, the bonus, and the new total."""
    game = state.games[number - 1] if number <= len(state.games) else None
    mission = state.deal.mission if number == len(state.games) + 1 else None
    if game is not None:
        mission = NAMED[game.mission]
    hint = None if mission is None else mission.title
    if mission is not None and mission.ranks is not None:  # lest a player wonder which (TT-11)
        points = " ".join(map(str, state.house.points_of(mission)))
        hint = message("{mission}; ranks: {points}", mission=mission.title, points=points)

    rows = (
        ("sum", message("Game {game}: tops", game=number), "TT-8"),
        ("mission", message("Game {game}: mission", game=number), "TT-10"),
        ("bonus", message("Game {game}: bonus for 6s", game=number), "TT-9"),
        ("total", message("Total after game {game}", game=number), "TT-12"),
    )
    scored = (None,) * 4 if game is None else (game.sums, game.points, game.bonuses, game.totals)
    for (name, label, rule), scores in zip(rows, scored, strict=True):
        numbers = (None,) * len(state.players) if scores is None else scores.numbers
        cells = tuple(Cell(points=points, rule=rule) for points in numbers)
        kind: RowKind = "total" if name == "total" else "box"
        shown = hint if name == "mission" else None
        yield Row(f"game-{number}-{name}", label, kind, f"game-{number}", cells, shown, rule)


def turn(state: State) -> Turn:
    """The open turn, for the table."""
    if state.is_finished:
        return Turn(state.acts, "finished", None)
    deal, expected = state.deal, None
    if deal.mission is not None and state.house.quick:
        unreported = [seat for seat in range(len(state.players)) if seat not in deal.entered]
        expected = ExpectedPieces("cards", f"piles:{unreported[0]}") if unreported else None
    elif deal.mission is not None and deal.seat is not None:
        expected = ExpectedPieces("cards", "play", lasting=True)
    awaited = Awaited(
        _progress(state),
        _instruction(state),
        expected=expected,
        pieces=tuple(map(str, state.deck)),
        played=frozenset(map(str, state.deal.played)),
    )
    return Turn(state.acts, "playing", state.deal.seat, awaited=awaited)


def pieces_on_table(state: State) -> tuple[PieceGroup, ...]:
    """The open trick in the order played, and the tops of everyone who won cards (TT-7)."""
    deal, groups = state.deal, list[PieceGroup]()
    if deal.trick.plays:
        groups.append(PieceGroup("cards", tuple(map(str, deal.trick.cards)), message("The trick")))
    for seat, player in enumerate(state.players):
        if deal.piles[seat].tops:
            tops = tuple(map(str, deal.piles[seat].tops))
            groups.append(PieceGroup("cards", tops, message("{player}’s tops", player=player)))
    return tuple(groups)


def _progress(state: State) -> Message:
    game = len(state.games) + 1
    if state.deal.mission is None or state.house.quick:
        return message("Game {game} of {games}", game=game, games=GAMES)
    return message(
        "Game {game} of {games} · trick {trick} of {tricks}",
        game=game,
        games=GAMES,
        trick=len(state.deal.taken) + 1,
        tricks=TRICKS,
    )


def _instruction(state: State) -> Message:
    deal = state.deal
    if deal.mission is None:
        return message("Turn up a mission card and choose it here.")
    if state.house.quick:
        return message("Play the seven tricks, then enter what lies before each player.")
    if deal.seat is None:
        return message("Everyone takes eight cards. Who holds red 8?")
    player = state.players[deal.seat]
    if not deal.trick.plays:
        return message("{player} leads: tap the card that was played.", player=player)
    return message("{player} follows: tap the card that was played.", player=player)


def describe(state: State, event: acts.Event) -> Message:  # noqa: PLR0911 -- one arm a member
    """The event in words, given the match after it."""
    match event:
        case acts.MissionChosen(mission):
            return message("the mission “{mission}”", mission=NAMED[mission].title)
        case acts.HandShown(player):
            return message("the hand of {player}", player=player)
        case acts.LeaderNamed(player):
            return message("that {player} holds red 8", player=player)
        case acts.CardPlayed(player, card):
            return message("{card} of {player}", card=named(card), player=player)
        case acts.TrickTaken(player):
            return message("the trick of {player}", player=player)
        case acts.PilesEntered(player, piles):
            shown = str(piles) if piles.tops else message("empty")
            return message("{player}’s piles ({piles})", player=player, piles=shown)
        case acts.GameScored():
            return message("the points of game {game}", game=len(state.games))


def judgement(state: State, offer: str, pieces: str) -> Judgement:
    """Judge the pieces seen for that offer: the card played, or a player's piles.

    Raises NotationError if they are no cards.
    """
    cards = Cards.parse(pieces).cards
    return _played(state, cards) if offer == "play" else _piles_seen(state, offer, cards)


def _played(state: State, cards: tuple[Card, ...]) -> Judgement:
    """TT-4: the one new card; cards played before may still be on the table."""
    fresh = [card for card in cards if card not in state.deal.played]
    seat, label = state.deal.seat, message("The trick")
    if seat is not None and fresh:
        player = state.players[seat]
        label = message("{player} played {card}", player=player, card=listed(map(named, fresh)))
    labels = tuple(map(str, fresh))
    if not fresh:
        return Judgement(label, changed=False)
    if len(fresh) > 1:
        why = message(
            "{cards} are new: tap them in the order played.", cards=listed(map(named, fresh))
        )
        return Judgement(label, (Remark("TT-4", why, labels),), labels)
    refusal = rules.card_refusal(state, fresh[0])
    remarks = () if refusal is None else (Remark(refusal.rule, refusal.message, labels),)
    return Judgement(label, remarks, labels, key=f"play:{fresh[0]}")


def _piles_seen(state: State, offer: str, cards: tuple[Card, ...]) -> Judgement:
    """TT-7, TT-9: the top of each colour, with every 6 won next to it."""
    player = state.players[int(offer.partition(":")[2])]
    tops, remarks = list[Card](), list[Remark]()
    for colour in CARD_COLOURS:
        here = [card for card in cards if card.colour == colour]
        others = [card for card in here if card.number != BONUS]
        tops += (others or here)[:1]  # a 6 is the top only if it is alone
        if len(others) > 1:
            why = message(
                "Of each colour one card is the top: {cards}.", cards=listed(map(named, others))
            )
            remarks.append(Remark("TT-7", why, tuple(map(str, others))))
    piles = Piles(tuple(tops), sum(card.number == BONUS for card in cards))
    refusal = rules.piles_domain(state, player).fault(piles)
    if refusal is not None:
        remarks.append(Remark(refusal.rule, refusal.message, tuple(map(str, cards))))
    label = message("The piles of {player}: {piles}", player=player, piles=str(piles))
    return Judgement(label, tuple(remarks), tuple(map(str, cards)), filling=str(piles))
