"""The index leads to beats by figure, chapter and lab; every beat that it names is there."""

import re

import pytest

from scenes.stage import act_names, load_act
from studio.deliver.site_roads import road_entries, roads

ENTRIES = [entry for entries in road_entries().values() for entry in entries]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['key']} {entry['en'][:20]}")
def test_every_entry_leads_to_beats_or_to_an_act_that_is_planned(entry):
    assert entry["en"] and entry["zh"] and (entry.get("beats") or "act" in entry)
    for name in entry.get("beats", ()):
        act, _, beat = name.partition("/")
        assert beat in load_act(act).beats, f"{name}: no such beat"
    assert f"act{entry.get('act', 0):02d}" not in act_names(), "it is filmed: name its beats"


def test_all_figures_and_chapters_of_the_sources_have_a_place():
    keys = {entry["key"] for entry in ENTRIES}
    assert keys == {*(f"D{n}" for n in range(1, 11)), *(f"F{n}" for n in range(15, 33)),
                    *(f"C{n:02}" for n in range(1, 13))}


def test_what_is_not_rendered_is_left_out_and_labs_name_their_parameters():
    def act(name, beats, settings):
        title = {"en": "A <title>", "zh": "标题"}
        beats = [{"name": beat, "title": title} for beat in beats]
        return {"act": name, "number": name[3:],
                "variants": [{"title": title, "settings": settings, "beats": beats}]}

    page = roads([act("act01", ["look-up"], ["ids", "scale"]), act("act04", [], ["budget"])],
                 {"act04": "act04.lab.html"})
    assert set(re.findall(r'href="([^"]+)"', page)) == {"act01.html#act01/look-up",
                                                        "act04.lab.html"}
    assert "ids, scale" in page and "A &lt;title&gt;" in page and "Act 05, planned" in page
