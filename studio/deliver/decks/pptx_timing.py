"""When a PowerPoint slide's clip plays and what stands for it on paper: the slide's p:timing."""

from typing import Any

__all__ = ["timing"]

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"

# What PowerPoint itself writes for "Start: Automatically": a media call in the main sequence that
# begins with the slide, beside the media node; python-pptx writes a node that waits for a click.
_PLAY = """<p:timing xmlns:p="{ns}"><p:tnLst><p:par>
<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>
<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq">
<p:childTnLst><p:par><p:cTn id="3" fill="hold"><p:stCondLst><p:cond delay="indefinite"/>
<p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond></p:stCondLst>
<p:childTnLst><p:par><p:cTn id="4" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>
<p:childTnLst><p:par><p:cTn id="5" presetID="1" presetClass="mediacall" presetSubtype="0"
 fill="hold" nodeType="afterEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst>
<p:childTnLst><p:cmd type="call" cmd="playFrom(0.0)"><p:cBhvr>
<p:cTn id="6" dur="{milliseconds}" fill="hold"/><p:tgtEl><p:spTgt spid="{clip}"/></p:tgtEl>
</p:cBhvr></p:cmd></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst>
</p:cTn></p:par></p:childTnLst></p:cTn>
<p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>
</p:prevCondLst><p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl>
</p:cond></p:nextCondLst></p:seq>{cover}
<p:video><p:cMediaNode vol="80000"><p:cTn id="7" fill="hold" display="0"><p:stCondLst>
<p:cond delay="indefinite"/></p:stCondLst></p:cTn><p:tgtEl><p:spTgt spid="{clip}"/></p:tgtEl>
</p:cMediaNode></p:video></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"""

# The picture over the clip appears on a click at itself, and is hidden until then: never. So a
# show plays the clip; the slide sorter, the notes and every PDF have the last picture.
_COVER = """
<p:seq concurrent="1" nextAc="seek"><p:cTn id="8" restart="whenNotActive" fill="hold"
 evtFilter="cancelBubble" nodeType="interactiveSeq"><p:stCondLst>{click}</p:stCondLst>
<p:endSync evt="end" delay="0"><p:rtn val="all"/></p:endSync>
<p:childTnLst><p:par><p:cTn id="9" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>
<p:childTnLst><p:par><p:cTn id="10" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>
<p:childTnLst><p:par><p:cTn id="11" presetID="1" presetClass="entr" presetSubtype="0" fill="hold"
 nodeType="clickEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst>
<p:childTnLst><p:set><p:cBhvr><p:cTn id="12" dur="1" fill="hold"><p:stCondLst>
<p:cond delay="0"/></p:stCondLst></p:cTn><p:tgtEl><p:spTgt spid="{cover}"/></p:tgtEl>
<p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr>
<p:to><p:strVal val="visible"/></p:to></p:set></p:childTnLst></p:cTn></p:par></p:childTnLst>
</p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn>
<p:nextCondLst>{click}</p:nextCondLst></p:seq>"""
_CLICK = """<p:cond evt="onClick" delay="0"><p:tgtEl><p:spTgt spid="{}"/></p:tgtEl></p:cond>"""


def timing(clip: int, seconds: float, cover: int = 0) -> Any:
    """The element p:timing for a slide: `clip` and `cover` are ids of its shapes.

    Without a `cover` the clip alone is timed.
    """
    from pptx.oxml import parse_xml

    hidden = _COVER.format(cover=cover, click=_CLICK.format(cover)) if cover else ""
    return parse_xml(_PLAY.format(ns=_P, clip=clip, cover=hidden,
                                  milliseconds=round(seconds * 1000)))
