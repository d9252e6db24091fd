"""What a browser decodes: pictures that the encoder never saw again, and those after them."""

import base64
import functools
import http.server
import io
import threading

import av
import numpy as np
import pytest
from PIL import Image
from rendered_house import Watched, built_site, rendered_house
from studio_house import BEATS

from studio.deliver.rendered import read


@pytest.fixture(scope="module")
def server():
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(built_site()))
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()


SEEN = """async ([clip, moments]) => {
    const video = document.createElement("video"), canvas = document.createElement("canvas");
    video.muted = true; document.body.append(video);
    video.src = URL.createObjectURL(await (await fetch(clip)).blob());  // to seek without ranges
    await new Promise(done => video.oncanplaythrough = done);
    canvas.width = video.videoWidth; canvas.height = video.videoHeight;
    const shown = [];
    for (const moment of moments) {
        const seeked = new Promise(done => video.onseeked = done);
        video.currentTime = moment; await seeked; await new Promise(done => setTimeout(done, 150));
        canvas.getContext("2d").drawImage(video, 0, 0);
        shown.push(canvas.toDataURL("image/png").split(",")[1]);
    }
    return [shown, video.error && video.error.message];
}"""


TWO_CODINGS = 0.15  # mean luma between a settled picture and its key frame, of the same drawing


def luma_distance(one, other):
    return np.abs((one.astype(int) - other) @ [0.2126, 0.7152, 0.0722]).mean()


@pytest.mark.parametrize("beat", BEATS)
def test_the_browser_decodes_repeated_pictures_and_those_after_them(server, beat):
    rendered = read(rendered_house()[1] / "act01")
    planned = next(each for each in rendered.beats if each["name"] == beat)
    with av.open(str(rendered.folder / planned["clip"])) as film:
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    held = [k for k in range(1, len(frames)) if np.array_equal(frames[k], frames[k - 1])]
    after = [k for k in range(2, len(frames)) if k - 1 in held and k not in held]
    indices = sorted({*held[::len(held) // 6 or 1], *after[:6], len(frames) - 1})
    watched = Watched(f"{server}/act01.html")
    shown, fault = watched.page.evaluate(SEEN, [f"{server}/act01/{planned['clip']}",
                                                [(k + 0.5) / rendered.fps for k in indices]])
    watched.close()
    assert held and fault is None
    for index, png in zip(indices, shown):
        seen = np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB"), int)
        off = [luma_distance(seen, frame) for frame in frames]
        other = [distance for distance, frame in zip(off, frames)
                 if luma_distance(frame, frames[index]) > TWO_CODINGS]
        assert off[index] < 3, f"frame {index}"
        assert off[index] < min(other, default=np.inf), f"frame {index}: like {np.argmin(off)}"
