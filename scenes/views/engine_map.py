"""The one drawing of the engine: queues, the five stages of a step, and the KV pool below."""

from collections.abc import Mapping, Sequence

import numpy as np
from manim import DOWN, RIGHT, UP, Animation, MoveToTarget, VGroup, VMobject

from scenes.geometry import STAGE, Region, px
from scenes.kit import LEAD, Node, TokenStrip, Zoom, arrow, paint
from scenes.kit.base.motion import Along, Movement
from scenes.kit.engine.icons import (
    PoolIcon,
    batch_icon,
    budget_icon,
    layers_icon,
    queues_icon,
    race_icon,
    token_icon,
)

__all__ = ["NODES", "EngineMap", "Station"]

NODES = ("queues", "schedule", "prepare", "model", "sampler", "postprocess", "pool")
_FILL = 0.86  # share of a node that its icon takes
_QUEUES, _GAP, _POOL, _RETURN = 300, 46, 176, 64  # px: a width, and three heights
_WORDS = (*NODES, "waiting", "running")


class Station(Node):
    """A node of the map: its name above, a small picture of what happens there under it."""

    def __init__(self, name: str, icon: VMobject, width: float, height: float) -> None:
        super().__init__(name, "", width=width, height=height, size=LEAD.size - 4)
        self.icon = icon.set_z_index(1)
        top = self.box.get_top() + DOWN * px(46)
        self.heading.move_to(top)
        middle, half = self.box.get_center()[0], px(width / 2 - 22)
        room = Region(middle - half, middle + half, top[1] - px(38),
                      self.box.get_bottom()[1] + px(22))
        self.add(room.place(icon, fill=_FILL))


class EngineMap(VGroup):
    """Queues → schedule → prepare → model → sampler → postprocess → back, over the KV pool.

    `labels`: the names in the picture, one for each of `NODES` and for "waiting" and "running";
    KeyError names a label that lacks. `icons`: what stands in a node instead of its usual picture.
    Parts: `stations` (node -> Station), `ways` (the arrows).
    """

    def __init__(self, labels: Mapping[str, str], region: Region = STAGE,
                 icons: Mapping[str, VMobject] | None = None) -> None:
        words = {key: labels[key] for key in _WORDS}
        self.region = region
        self.inside: str | None = None
        row = region.inset(top=_RETURN, bottom=_POOL + 84)
        high = row.height / px(1)
        wide = (region.width / px(1) - _QUEUES - 5 * _GAP) / 5
        icons = {"queues": queues_icon(words["waiting"], words["running"]),
                 "schedule": budget_icon(), "prepare": batch_icon(), "model": layers_icon(),
                 "sampler": race_icon(), "postprocess": token_icon(),
                 "pool": PoolIcon(), **(icons or {})}
        pool = icons.pop("pool")
        self.stations = {name: Station(words[name], icon, _QUEUES if name == "queues" else wide,
                                       high) for name, icon in icons.items()}
        left = row.left
        for station in self.stations.values():
            station.move_to((left + station.width / 2, row.center[1], 0))
            left += station.width + px(_GAP)
        self.stations["pool"] = self._pool(words["pool"], pool)
        self.ways = VGroup(*self._ways())
        super().__init__(self.ways, *self.stations.values())

    def _pool(self, name: str, icon: VMobject) -> Station:
        width = self.region.width / px(1)
        pool = Station(name, icon, width, _POOL)
        self.region.place(pool, DOWN)
        heading, box = pool.heading, pool.box
        heading.move_to(box.get_left() + [px(44) + heading.width / 2, 0, 0])
        pool.icon.scale_to_fit_width(box.width - heading.width - px(44 + 56 + 44))
        pool.icon.next_to(heading, buff=px(56))
        return pool

    def _ways(self) -> list[VMobject]:
        """The step's way from node to node and back over their tops; who touches the pool."""
        line = [self.stations[name] for name in NODES[:-1]]
        ways: list[VMobject] = [arrow(a, b, buff=5) for a, b in zip(line, line[1:])]
        first, last = line[0].get_top(), line[-1].get_top()
        lift = UP * px(_RETURN - 12)
        back = VMobject(stroke_width=3, stroke_color=paint("muted"))
        back.set_points_as_corners([last + UP * px(5), last + lift, first + lift])
        ways += [back, arrow(first + lift + UP * px(4), first, buff=4)]
        floor = self.stations["pool"].box.get_top()[1]
        for name, offsets in (("schedule", (0,)), ("model", (-28, 28)), ("postprocess", (0,))):
            for offset in offsets:
                top = self.stations[name].box.get_bottom() + [px(offset), 0, 0]
                bottom = (top[0], floor, 0)
                start, end = (bottom, top) if offset > 0 else (top, bottom)
                ways.append(arrow(start, end, buff=7))
        return ways

    def node(self, name: str) -> Region:
        """The region that a node takes."""
        box = self.stations[name].box
        return Region(box.get_left()[0], box.get_right()[0], box.get_top()[1], box.get_bottom()[1])

    def light(self, name: str) -> Movement:
        """Animation: this node is at work."""
        return self.stations[name].light()

    def calm(self, name: str) -> Movement:
        """Animation: this node is at rest again."""
        return self.stations[name].calm()

    def batch(self, roles: Sequence[str], node: str = "schedule") -> VGroup:
        """One token of each request, low in a node, with room for the next: they go round."""
        tokens = VGroup(*(TokenStrip(1, "k.", role, 32, 4) for role in roles))
        return tokens.arrange(RIGHT, buff=px(8)).set_z_index(2).move_to(
            self._low(node) + self._aside("k."))

    def take(self, batch: VGroup, node: str, looks: str) -> list[Animation]:
        """Animations: the batch has come to a node, where its tokens take other looks."""
        if node == "queues":
            first, last = (self.stations[name].box.get_top() for name in ("queues", "postprocess"))
            way, lift = VMobject(), UP * px(_RETURN - 12)
            way.set_points_as_corners([batch.get_center(), last, last + lift, first + lift, first,
                                       self._low(node)])
            return [Along(batch, way)]
        target = batch.generate_target().move_to(self._low(node) + self._aside(looks))
        for strip, goal in zip(batch, target):
            strip.restyle(goal, looks)
        return [MoveToTarget(batch)]

    def write(self) -> list[Animation]:
        """Animations: what the model computes is written into the pool's blocks."""
        moves: list[Animation] = self.stations["pool"].icon.write()
        return moves

    def append(self) -> list[Animation]:
        """Animations: every running request is one token longer, its newest till then cached."""
        return [move for strip in self._running
                for move in strip.show(strip.looks.replace("k.", "ck"))]

    def finish(self, role: str) -> list[Animation]:
        """Animations: a request leaves the queues, and the pool has its blocks back."""
        return [*self.stations["pool"].icon.free(role),
                *(move for strip in self._running if strip.role == role
                  for move in strip.show("." * len(strip)))]

    @property
    def _running(self) -> list[TokenStrip]:
        strips = self.stations["queues"].icon[1][1]
        return [strip for strip in strips if isinstance(strip, TokenStrip)]

    @staticmethod
    def _aside(looks: str) -> np.ndarray:
        """So that a batch without its new tokens stands in the middle, too."""
        return RIGHT * px(18) * looks.endswith(".")

    def _low(self, node: str) -> np.ndarray:
        return np.array(self.stations[node].box.get_bottom() + UP * px(44))

    def enter(self, name: str) -> Zoom:
        """Animation: the node grows to fill the stage, all else leaves; at the end the map is

        out of the picture, and the stage free for what happens in that node.
        """
        self.inside = name
        return self._zoom(name)

    def leave(self) -> Zoom:
        """Animation: back out of the node that was entered; ValueError when none was."""
        if self.inside is None:
            raise ValueError("no node of the map has been entered")
        name, self.inside = self.inside, None
        return self._zoom(name, back=True)

    def _zoom(self, name: str, back: bool = False) -> Zoom:
        station = self.stations[name]
        return Zoom(self, station, station.box, self.region, back)
