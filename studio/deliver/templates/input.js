// Keys, touch, choices: what a reader does; then the page starts.
"use strict";

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select")) return;
  const button = event.target.closest("button, a, input");
  const ways = {
    ArrowRight: () => player.next(), ArrowLeft: () => player.back(), PageDown: () => player.next(),
    PageUp: () => player.back(), " ": () => player.toggle(), Home: () => player.go(0),
    End: () => player.go(player.variant.beats.length - 1), f: full, c: captions,
    m: () => player.sound(!player.heard),
  };
  const way = /^\d$/.test(event.key) ? () => digit(event.key)
    : ways[event.key.length > 1 ? event.key : event.key.toLowerCase()];
  if (!way || (event.key === " " && button)) return;
  event.preventDefault();
  way();
}

// "1" goes to beat 1; "1" and "2" soon after each other to beat 12.
function digit(key) {
  clearTimeout(digit.timer);
  player.digits += key;
  const count = player.variant.beats.length;
  if (+player.digits > count) player.digits = key;
  if (+player.digits >= 1 && +player.digits <= count) player.go(+player.digits - 1);
  digit.timer = setTimeout(() => { player.digits = ""; }, 800);
}

function full() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if ($("screen").requestFullscreen) $("screen").requestFullscreen();
  else screen_.seen.webkitEnterFullscreen?.();
}

function captions() {
  const all = [...$("captions").options].map(option => option.value);
  player.caption(all[(all.indexOf($("captions").value) + 1) % all.length]);
}

// On the film: the outer thirds go back and on, the middle pauses; a swipe to the left goes on.
function touch() {
  let from = null;
  $("screen").addEventListener("pointerdown", event => { from = event; });
  $("screen").addEventListener("pointerup", event => {
    if (!from) return;
    const way = event.clientX - from.clientX, box = $("screen").getBoundingClientRect();
    const place = (event.clientX - box.left) / box.width;
    from = null;
    if (Math.abs(way) > 40) return way < 0 ? player.next() : player.back();
    if (place < 1 / 3) return player.back();
    return place > 2 / 3 ? player.next() : player.toggle();
  });
}

function start() {
  const parameters = [...new Set(data.variants.map(v => v.parameters))];
  $("variant-choice").hidden = parameters.length < 2;
  $("variant").replaceChildren(...parameters.map(each => make(
    "option", { value: each, textContent: each })));
  $("stills").checked = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const index = player.link();
  $("variant").value = player.variant.parameters;
  Words.choose(() => player.change());
  $("variant").addEventListener("change", () => player.change($("variant").value));
  $("captions").addEventListener("change", () => player.caption($("captions").value));
  $("back").onclick = () => player.back();
  $("play").onclick = () => player.toggle();
  $("next").onclick = () => player.next();
  $("full").onclick = full;
  $("sound").onclick = () => player.sound(!player.heard);
  document.addEventListener("keydown", keys);
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#act")) return;  // the link to the film itself
    const to = player.link();
    Words.apply();
    player.dress();
    player.go(to);
  });
  touch();
  player.dress();
  player.caption(Words.kept("captions", ""));
  player.sound(player.heard);
  player.go(index);
}

start();
