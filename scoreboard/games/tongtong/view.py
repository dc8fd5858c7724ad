"""What players see of a match: offers, scoresheet, turn, readings judged, events in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial, reduce

from scoreboard.games.engine.game import (
    Awaited,
    Entry,
    Judgement,
    Offer,
    OpenOffer,
    PieceGroup,
    Remark,
    Sight,
    Turn,
)
from scoreboard.games.engine.scoresheet import Cell, Row, RowKind, Scoresheet
from scoreboard.games.tongtong import acts
from scoreboard.games.tongtong.cards import BONUS, CARD_COLOURS, Card, Cards, Piles, named
from scoreboard.games.tongtong.mission import MISSIONS, NAMED, Mission
from scoreboard.games.tongtong.rules import (
    card_refusal,
    hand_domain,
    hand_refusal,
    leader_refusal,
    mission_refusal,
    piles_domain,
    piles_refusal,
)
from scoreboard.games.tongtong.state import GAMES, TRICKS, State, grand
from scoreboard.message import Message, message

AnyOffer = Offer[acts.Command] | OpenOffer[acts.Command]


def offers(state: State) -> tuple[AnyOffer, ...]:
    """Every act that the rules accept now.

    The keys: `mission:<name>`, `leader:<seat>`, `play:<card>`; `hand:<seat>` and `piles:<seat>`
    (open, to be filled with cards and with piles). Hands need not be told, and piles only
    where no cards are.
    """
    if state.is_finished:
        return ()
    return (
        *_missions(state),
        *_leaders(state),
        *_plays(state),
        *_hands(state),
        *_piles(state),
    )


def _missions(state: State) -> Iterator[AnyOffer]:
    """TT-2, TT-14."""
    for mission in MISSIONS:
        if mission_refusal(state, mission.name) is None:
            key, command = f"mission:{mission.name}", acts.ChooseMission(mission.name)
            yield Offer(key, mission.title, "TT-14", command, by_lot=True)


def _leaders(state: State) -> Iterator[AnyOffer]:
    """TT-3."""
    for seat, player in state.seated():
        if leader_refusal(state, player) is None:
            label = message("{player} holds red 8", player=player)
            yield Offer(f"leader:{seat}", label, "TT-3", acts.NameLeader(player))


def _plays(state: State) -> Iterator[AnyOffer]:
    """TT-4."""
    for card in state.deck:
        if card_refusal(state, card) is None:
            command = acts.PlayCard(card)
            yield Offer(f"play:{card}", named(card), "TT-4", command, piece=str(card))


def _hands(state: State) -> Iterator[AnyOffer]:
    """TT-2."""
    for seat, player in state.seated():
        if hand_refusal(state, player) is None:
            known = state.deal.hands[seat]
            yield OpenOffer(
                f"hand:{seat}",
                message("The hand of {player}", player=player),
                "TT-2",
                hand_domain(state, player),
                partial(acts.ShowHand, player),
                Entry(
                    message("Which eight cards does {player} hold?", player=player),
                    message("R, B, G, P or Y for the colour and the number, as in R8 B1 G4"),
                    "cards",
                    written=str(known) if known.cards else "",
                ),
                aside=True,
            )


def _piles(state: State) -> Iterator[AnyOffer]:
    """TT-7, TT-9."""
    for seat, player in state.seated():
        if piles_refusal(state, player) is None:
            yield OpenOffer(
                f"piles:{seat}",
                message("The piles of {player}", player=player),
                "TT-7",
                piles_domain(state, player),
                partial(acts.TellPiles, player),
                Entry(
                    message("What lies on top of {player}’s piles?", player=player),
                    message("the top of each pile, then + and how many 6s were won: R5 B3 +2"),
                    "cards",
                    written="" if state.house.quick else str(state.deal.piles[seat]),
                ),
                aside=not state.house.quick,
            )


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet, rows in the order in which they are filled."""
    games = range(1, GAMES + 1)
    return Scoresheet(
        game="tongtong",
        players=state.players,
        rows=(*(row for number in games for row in _game_rows(state, number)), _grand(state)),
        current=state.deal.seat,
        options=state.house.printed,
    )


def _game_rows(state: State, number: int) -> Iterator[Row]:
    """One game: the sum, what the mission makes of it, the bonus, and the total since."""
    game = state.games[number - 1] if number <= len(state.games) else None
    section, seats = f"game-{number}", len(state.players)

    def row(
        name: str, label: Message, kind: RowKind, rule: str, hint: Message | None = None
    ) -> Row:
        cells = _cells(_figures(game, name), seats, rule)
        return Row(f"{section}-{name}", label, kind, section, cells, hint, rule)

    yield row("sum", message("Game {game}: tops", game=number), "box", "TT-8")
    mission = message("Game {game}: mission", game=number)
    yield row("mission", mission, "box", "TT-10", _hint(state, number))
    yield row("bonus", message("Game {game}: bonus for 6s", game=number), "box", "TT-9")
    yield row("total", message("Total after game {game}", game=number), "total", "TT-12")


def _figures(game: acts.GameScored | None, name: str) -> tuple[int | None, ...] | None:
    if game is None:
        return None
    told = {"sum": game.sums, "mission": game.points, "bonus": game.bonuses, "total": game.totals}
    return told[name].numbers


def _cells(figures: tuple[int | None, ...] | None, seats: int, rule: str) -> tuple[Cell, ...]:
    return tuple(Cell(points=points, rule=rule) for points in figures or (None,) * seats)


def _hint(state: State, number: int) -> Message | None:
    """The mission and the points of its ranks, so that nobody wonders which were used (TT-11)."""
    mission = _mission(state, number)
    if mission is None or mission.ranks is None:
        return None if mission is None else mission.title
    points = " ".join(map(str, state.house.points_of(mission)))
    return message("{mission}; ranks: {points}", mission=mission.title, points=points)


def _mission(state: State, number: int) -> Mission | None:
    """The mission of that game of the match, None before it is turned up."""
    if number <= len(state.games):
        return NAMED[state.games[number - 1].mission]
    return state.deal.mission if number == len(state.games) + 1 else None


def _grand(state: State) -> Row:
    teams = state.house.teams
    label = message("Total of the partners") if teams else message("Grand total")
    rule = "TT-15" if teams else "TT-13"
    seats = range(len(state.players))
    figures = tuple(grand(state, seat) for seat in seats) if state.games else None
    return Row("grand", label, "total", "totals", _cells(figures, len(seats), rule), None, rule)


def turn(state: State) -> Turn:
    """Where the match stands, as the table must know it."""
    if state.is_finished:
        return Turn(state.acts, "finished", None)
    awaited = Awaited(
        _progress(state),
        _instruction(state),
        sight=_sight(state),
        pieces=tuple(map(str, state.deck)),
    )
    return Turn(state.acts, "playing", state.deal.seat, awaited=awaited)


def lying(state: State) -> tuple[PieceGroup, ...]:
    """The open trick in the order played, and the tops of everyone who won cards (TT-7)."""
    return tuple(_heaps(state))


def _sight(state: State) -> Sight | None:
    """The card that is played next; or at the end of a game what lies before one player."""
    deal = state.deal
    if deal.mission is None:
        return None
    if not state.house.quick:
        return None if deal.seat is None else Sight("cards", "play", lasting=True)
    untold = [seat for seat, _ in state.seated() if seat not in deal.told]
    return Sight("cards", f"piles:{untold[0]}") if untold else None


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
        return message("Turn up a mission card and tell which it is.")
    if state.house.quick:
        return message("Play the seven tricks, then tell what lies before each player.")
    if deal.seat is None:
        return message("Everyone takes eight cards. Who holds red 8?")
    player = state.players[deal.seat]
    if not deal.trick.plays:
        return message("{player} leads: tap the card that was played.", player=player)
    return message("{player} follows: tap the card that was played.", player=player)


def _heaps(state: State) -> Iterator[PieceGroup]:
    deal = state.deal
    if deal.trick.plays:
        yield PieceGroup("cards", tuple(map(str, deal.trick.cards)), message("The trick"))
    for seat, player in state.seated():
        if deal.piles[seat].tops:
            tops = tuple(map(str, deal.piles[seat].tops))
            yield PieceGroup("cards", tops, message("{player}’s tops", player=player))


def describe(state: State, event: acts.Event) -> Message:  # noqa: PLR0911 -- one arm a member
    """Say what the event was, in a match that stands as `state` after it."""
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
        case acts.PilesTold(player, piles):
            return message("the piles {piles} of {player}", piles=str(piles), player=player)
        case acts.GameScored():
            return message("the points of game {game}", game=len(state.games))


def judgement(state: State, offer: str, pieces: str) -> Judgement:
    """Judge what is seen for that offer: the card that is played, or what lies before a player.

    Raises:
        NotationError: the pieces are no cards.
    """
    cards = Cards.parse(pieces).cards
    return _played(state, cards) if offer == "play" else _lying_piles(state, offer, cards)


def _played(state: State, cards: tuple[Card, ...]) -> Judgement:
    """TT-4: the one card that nobody played yet; what was played may still lie there."""
    fresh = [card for card in cards if card not in state.deal.played]
    label = _playing(state, fresh)
    labels = tuple(map(str, fresh))
    if not fresh:
        return Judgement(label, changed=False)
    if len(fresh) > 1:
        why = message("{cards} are new: tap them in the order played.", cards=listed(fresh))
        return Judgement(label, (Remark("TT-4", why, labels),), labels)
    refusal = card_refusal(state, fresh[0])
    remarks = () if refusal is None else (Remark(refusal.rule, refusal.message, labels),)
    return Judgement(label, remarks, labels, key=f"play:{fresh[0]}")


def _playing(state: State, fresh: list[Card]) -> Message:
    seat = state.deal.seat
    if seat is None or not fresh:
        return message("The trick")
    return message("{player} played {card}", player=state.players[seat], card=listed(fresh))


def _lying_piles(state: State, offer: str, cards: tuple[Card, ...]) -> Judgement:
    """TT-7, TT-9: of each colour the top, and every 6 that was won laid beside it."""
    player = state.players[int(offer.partition(":")[2])]
    tops = [_top(cards, colour) for colour in CARD_COLOURS]
    sixes = sum(card.number == BONUS for card in cards)
    piles = Piles(tuple(top for top in tops if top is not None), sixes)
    label = message("The piles of {player}: {piles}", player=player, piles=str(piles))
    return Judgement(
        label,
        tuple(_faults(state, player, cards, piles)),
        tuple(map(str, cards)),
        filling=str(piles),
    )


def _top(cards: Iterable[Card], colour: str) -> Card | None:
    """The card of that colour that counts: a 6 only where it lies alone."""
    lying = [card for card in cards if card.colour == colour]
    others = [card for card in lying if card.number != BONUS]
    return next(iter(others or lying), None)


def _faults(state: State, player: str, cards: tuple[Card, ...], piles: Piles) -> Iterable[Remark]:
    for colour in CARD_COLOURS:
        lying = [card for card in cards if card.colour == colour and card.number != BONUS]
        if len(lying) > 1:
            why = message("Of each colour one card is the top: {cards}.", cards=listed(lying))
            yield Remark("TT-7", why, tuple(map(str, lying)))
    refusal = piles_domain(state, player).refusal(piles)
    if refusal is not None:
        yield Remark(refusal.rule, refusal.message, tuple(map(str, cards)))


def listed(cards: Iterable[Card]) -> Message:
    """Cards in words, with commas between them."""
    return reduce(lambda one, two: message("{one}, {two}", one=one, two=two), map(named, cards))
