"""What the badge of a picture says of its numbers, in words."""

__all__ = ["MEANINGS", "meaning"]

MEANINGS = {
    "en": {
        "REAL TRACE": "Recorded from the engine.",
        "HAND-COMPUTED": "Computed here, step by step.",
        "SCALED-DOWN": "Recorded from the real scheduler, with small blocks.",
        "SIMULATED": "Simulated by a reference scheduler, not recorded from the engine.",
    },
    "zh": {
        "REAL TRACE": "记录自真实引擎。",
        "HAND-COMPUTED": "在此一步步手算。",
        "SCALED-DOWN": "记录自真实调度器，块较小。",
        "SIMULATED": "由参考调度器模拟得出，并非引擎的记录。",
    },
}


def meaning(source: str, language: str) -> str:
    """Of a beat's source, "REAL TRACE · act03-rules"; "" for a badge that needs no words."""
    return MEANINGS[language].get(source.partition(" · ")[0], "")
