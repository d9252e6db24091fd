"""The act's lab: what may be tried beyond the film, where memory is ample and prompts differ."""

from dataclasses import dataclass

from scenes.act04_scheduler.params import Params
from scenes.act04_scheduler.story import BLOCK, BLOCKS, ROLES
from scenes.stage import Lab, param

__all__ = ["LAB"]


@dataclass(frozen=True)
class Memory:
    num_blocks: int = param(BLOCKS, 1, BLOCKS, help="blocks in the pool")
    block_size: int = param(BLOCK, 2, 8, help="tokens that one block holds")
    shared: int = param(0, 0, 12, help="tokens that all prompts begin with")


LAB = Lab(Params, Memory, ROLES, {
    "film": {},
    "whole": {"budget": 24},
    "alone": {"max_num_seqs": 1},
    "preempted": {"num_blocks": 7},
    "alike": {"shared": 8, "prompts": (11, 10, 12, 9, 12), "arrivals": (0, 2, 5, 7, 9)},
    "outgrown": {"num_blocks": 3},
})
