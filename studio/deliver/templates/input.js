// Keys, touch, choices: what a reader does; then the page starts.
"use strict";

function keys(event) {
  // A clicker's page keys are the player's, even where a menu has just been used.
  const isTyping = event.target.matches("select, input:not([type=checkbox])");
  if (event.target.closest(".lab")) return;  // its fields and buttons have keys of their own
  if (event.ctrlKey || event.altKey || event.metaKey || (isTyping && !/^Page/.test(event.key))) return;
  const button = event.target.closest("button, a, input");
  const ways = {
    ArrowRight: () => player.next(), ArrowLeft: () => player.back(), PageDown: () => player.next(),
    PageUp: () => player.back(), " ": () => player.toggle(), Home: () => player.go(0),
    End: () => player.go(player.variant.beats.length - 1), f: full, c: captions,
    m: () => player.sound(!player.heard),
    b: black, p: () => presenter.open(), ",": () => player.step(-1), ".": () => player.step(1),
  };
  const way = /^\d$/.test(event.key) ? () => digit(event.key)
    : ways[event.key.length > 1 ? event.key : event.key.toLowerCase()];
  if (!way || (event.key === " " && button)) return;
  event.preventDefault();
  if (way !== ways.b) $("screen").classList.remove("black");
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

function black() {
  if ($("screen").classList.toggle("black") && screen_.playing) player.toggle();
}

function captions() {
  const all = [...$("captions").options].map(option => option.value);
  player.caption(all[(all.indexOf($("captions").value) + 1) % all.length]);
}

// On the film: the outer thirds go back and on, the middle pauses; a swipe to the left goes on.
// Where there is nothing to go back to, every place plays.
function touch() {
  let from = null;
  $("screen").addEventListener("pointerdown", event => { from = event.button ? null : event; });
  $("screen").addEventListener("pointerup", event => {
    if (!from) return;
    const way = event.clientX - from.clientX, box = $("screen").getBoundingClientRect();
    const place = (event.clientX - box.left) / box.width;
    from = null;
    if (Math.abs(way) > 40) return way < 0 ? player.next() : player.back();
    if (place < 1 / 3 && (player.index || player.frame)) return player.back();
    if (screen_.isCovered && !player.index && !player.frame) return player.next();
    return place > 2 / 3 ? player.next() : player.toggle();
  });
}

function start() {
  const parameters = [...new Set(data.variants.map(v => v.parameters))];
  $("variant-choice").hidden = parameters.length < 2;
  $("variant").replaceChildren(...parameters.map(each => make(
    "option", { value: each, textContent: each })));
  $("stills").checked = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [index, frame] = player.link();
  document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
  $("variant").value = player.variant.parameters;
  Words.choose(() => player.change());
  $("variant").addEventListener("change", () => player.change($("variant").value));
  $("captions").addEventListener("change", () => player.caption($("captions").value));
  $("back").onclick = () => player.back();
  $("play").onclick = () => player.toggle();
  $("next").onclick = () => player.next();
  $("full").onclick = full;
  $("sound").onclick = () => player.sound(!player.heard);
  $("speed").addEventListener("change", () => player.speed($("speed").value));
  $("copy").onclick = () => share.offer(share.link());
  $("embed").onclick = () => share.offer(share.embed());
  $("presenter").onclick = () => presenter.open();
  // A choice made with the pointer gives the keys back to the player.
  for (const select of document.querySelectorAll("select")) {
    select.addEventListener("pointerdown", () => { select.byPointer = true; });
    select.addEventListener("keydown", () => { select.byPointer = false; });
    select.addEventListener("change", () => select.byPointer && select.blur());
  }
  document.addEventListener("keydown", keys);
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#act")) return;  // the link to the film itself
    const [to, at] = player.link();
    Words.apply();
    page.dress();
    player.go(to, { frame: at });
  });
  touch();
  page.dress();
  player.caption(Words.kept("captions", ""));
  player.sound(player.heard);
  player.go(index, { frame });
}

start();
