// The presenter's window: shows what the act's page tells it, and hands keys back to it.
"use strict";

const $ = id => document.getElementById(id);
const began = Date.now();

addEventListener("message", event => {
  if (event.source !== opener) return;
  const told = event.data;
  document.documentElement.lang = told.language;
  document.documentElement.dataset.theme = told.ground;
  for (const [id, text] of [["place", told.place], ["title", told.title], ["next", told.next],
    ["next-word", told.nextWord]]) $(id).textContent = text;
  $("lines").replaceChildren(...told.lines.map(text => Object.assign(
    document.createElement("p"), { textContent: text })));
  $("picture").hidden = !told.picture;
  if (told.picture) $("picture").src = told.picture;
});
addEventListener("keydown", event => {
  const way = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back",
    " ": "toggle" }[event.key];
  if (!way || !opener) return;
  event.preventDefault();
  opener.postMessage(way, "*");
});
setInterval(() => {
  const seconds = Math.floor((Date.now() - began) / 1000);
  $("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}, 500);
opener?.postMessage("hello", "*");
