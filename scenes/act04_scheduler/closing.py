"""Out of the scheduler: whom it asks in the engine; and what made the viewer's answer pause."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act04_scheduler.cuts import pieces
from scenes.act04_scheduler.opening import GAP, AnswerRow, engine_map, outline
from scenes.act04_scheduler.story import ROLES
from scenes.kit import NOTE, STAGE, KVCell, Label, Packing, Paragraph, Shelf, Slot, TokenStrip
from scenes.kit import fit, px, ring
from scenes.kit.base.motion import arrive, leave, replace, vanish
from scenes.kit.engine.icons import PoolIcon
from scenes.stage import BLINK, BRISK, EASY, SLOW, VERY_SLOW, Act, beat
from scenes.views import EngineMap

__all__ = ["back_to_the_map", "remember"]

HELD = (("A", 2), ("B", 2), ("A", 2), ("", 0), ("", 0), ("B", 1), ("", 0), ("A", 1), ("", 0),
        ("", 0))  # the pool's blocks before: whose, and with how many tokens
LAST = "cccck."  # the looks of the last of the map's running requests, once it runs


def _waiting(engine: EngineMap) -> tuple[TokenStrip, TokenStrip]:
    """The last prompt where it waits, and its place among those that run, empty as yet."""
    waiting, running = (part[1] for part in engine.stations["queues"].icon)
    place = running[-1]
    prompt = place.copy().move_to(waiting[0], LEFT).set_z_index(2)
    prompt.restyle(prompt, LAST.replace("k", ".").replace("c", "k"))
    place.restyle(place, "." * len(place))
    return prompt, place


def _take(pool: PoolIcon, name: str, *blocks: int) -> LaggedStart:
    """Animation: these blocks become a newcomer's."""
    pool.roles = tuple(ROLES[name] if k in blocks else owner
                       for k, owner in enumerate(pool.roles))
    return pool.take(ROLES[name], ROLES[name])


@beat(("engine/llm_engine.py:49", "engine/block_manager.py:94"), carries="split")
def back_to_the_map(act: Act) -> None:
    engine = engine_map(act, pool=PoolIcon([(ROLES.get(name), n) for name, n in HELD]))
    engine.inside = "schedule"
    prompt, place = _waiting(engine)
    pool = engine.stations["pool"].icon
    # A request's way: waiting, running, finished; its blocks are free again.
    act.cue("map")
    act.move(*map(leave, act.kept.split), engine.leave(), pace=EASY)
    act.move(outline(engine, "queues"), FadeIn(prompt), pace=BLINK)
    act.cue("far")
    act.move(prompt.animate.move_to(place), pace=SLOW)
    act.move(FadeOut(prompt), place.show(LAST), _take(pool, "C", 4, 8), pace=BRISK)
    act.cue("done")
    box = engine.stations["postprocess"].box
    done = Label(act.label("done"), 36, ROLES["B"], "semibold").set_z_index(2)
    done.move_to(box.get_bottom() + UP * px(64))
    act.move(engine.calm("queues"), outline(engine, "postprocess"), pace=BLINK)
    act.move(done, pace=BRISK)
    act.cue("free")
    act.move(engine.finish(ROLES["B"]), pace=SLOW)
    newest = _until_full(act, engine, done)
    # The last comer waits again, with its tokens, without K and V.
    act.cue("back")
    act.move(outline(engine, "queues"), newest.show("kkkk"), pool.free(ROLES["E"]), pace=EASY)
    waiting = engine.stations["queues"].icon[0][1][0]
    act.move(newest.animate.move_to(waiting, LEFT), pace=SLOW)
    act.keep(engine=engine)


def _until_full(act: Act, engine: EngineMap, done: Label) -> TokenStrip:
    """Schedule asks the block manager for room, for who waits, until no block is left."""
    pool = engine.stations["pool"]
    waiting, running = (part[1] for part in engine.stations["queues"].icon)
    foot = engine.stations["schedule"].get_bottom() + DOWN * px(42)
    word, none = (Label(words, 44, "focus", "semibold").next_to(foot, RIGHT, buff=px(24))
                  for words in (act.label("ask"), act.label("free", n=0)))
    manager = Label(act.label("manager"), 36, "ink", "semibold")
    manager.next_to(pool.box, UP, buff=px(20)).align_to(pool.box, LEFT)
    new = VGroup(*(TokenStrip(n, "k" * n, ROLES[name], running[-1].cell, 4).move_to(
        place, LEFT).set_z_index(2) for (name, n), place in zip((("D", 6), ("E", 4)), waiting)))
    act.cue("ask")
    act.move(engine.calm("postprocess"), vanish(done), outline(engine, "schedule"), word,
             manager, FadeIn(new), pace=SLOW)
    # Each goes where there is a line free: in the place of who has finished, and below.
    act.cue("full")
    below = running[-1].get_left() + UP * 0.95 * (running[-1].get_y() - running[-2].get_y())
    act.move(new[0].animate.move_to(running[1], LEFT), _take(pool.icon, "D", 1, 3, 6),
             new[1].animate.move_to(below, LEFT), _take(pool.icon, "E", 5, 9), pace=SLOW)
    act.move([strip.show("c" * len(strip)) for strip in new], replace(word, none), pace=EASY)
    act.move(engine.calm("schedule"), vanish(none), vanish(manager), pace=BLINK)
    engine.stations["queues"].icon.add(new)
    return new[1]


@beat(variant="waiting", carries="engine")
def remember(act: Act) -> None:
    """Your answer once more, and over it what each step computed."""
    story, engine = act.story, act.kept.engine
    row = AnswerRow(act, named=False)
    STAGE.place(row, DOWN, y=176)
    row.strip.restyle(row.strip, row.looks(len(row.given)))
    row.words.next_to(row.places, DOWN, buff=px(20), aligned_edge=LEFT)
    marks = row.pauses(story.answer.causes)
    pitch = row.cell + GAP
    shelf = Shelf(row.places.get_left()[0] - px(GAP / 2), row.places.get_top()[1] + px(36), pitch,
                  row.cell, fit(story.params.budget, 400, 70, 4))
    packing = Packing(shelf, story.tokens, story.prompts, ROLES)
    act.move(engine.enter("schedule"), arrive(row), arrive(row.words), *map(arrive, marks),
             pace=30)
    # Over every pause the prompt that went first; then all prompts, then everybody.
    act.cue("causes")
    causes = [column if k in story.answer.causes else [] for k, column in enumerate(story.columns)]
    act.move(packing.to(causes, lag=0.12) if any(causes) else None, pace=75)
    act.cue("prompts")
    prompts = [column if step.phase == "prefill" else []
               for step, column in zip(story.trace.steps, story.columns)]
    act.move(packing.to(prompts, lag=0.05), pace=45)
    act.cue("cut")
    frames = [ring(VGroup(*(packing.cells[token] for token in story.columns[step.index]
                            if token[0] == step.names[0])), buff=4, corner=12)
              for step in pieces(story.trace.steps)]
    act.move(frames, pace=EASY)
    act.cue("all")
    act.move(*map(FadeOut, frames), packing.to(story.columns, lag=0.03), pace=VERY_SLOW + SLOW)
    # Under your tokens the K and V of each but the last, which nobody has to compute.
    act.cue("where")
    note = STAGE.place(Paragraph(act.words.leaves_out, NOTE, width=STAGE.width / px(1)),
                       DOWN + LEFT)
    kept = [KVCell(Slot.CACHED, row.cell, 46).next_to(place, DOWN, buff=px(12))
            for place, given in zip(row.places, row.given) if given][:-1]
    what = Label("?", 64, "focus", "bold").next_to(row.places, DOWN, buff=px(12))
    what.set_x(row.places[row.given.index(False) if not all(row.given) else -1].get_x())
    act.move(vanish(row.words), pace=BLINK)
    act.move(LaggedStart(*map(FadeIn, kept), lag_ratio=0.2) if kept else None, pace=SLOW)
    act.move(what, note, pace=EASY)
