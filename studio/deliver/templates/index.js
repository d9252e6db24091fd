// The index: choices, links that lead on to an act, and a search over what is said.
"use strict";

const field = document.getElementById("search"), results = document.getElementById("results");
const [, act] = /^#(act\d+)/.exec(location.hash) || [];

// Every word asked for occurs in a beat; a beat whose title has one comes first.
function hits(question) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean), language = Words.language;
  return (window.SEARCH || []).map(entry => {
    const title = entry.title[language].toLowerCase();
    const all = [title, entry.text[language], entry.anchors].join(" ").toLowerCase();
    const isFound = words.length && words.every(word => all.includes(word));
    return { entry, score: isFound ? 1 + words.filter(word => title.includes(word)).length : 0 };
  }).filter(hit => hit.score).sort((a, b) => b.score - a.score).map(hit => hit.entry);
}
function search() {
  const found = hits(field.value);
  document.getElementById("found").textContent = field.value.trim()
    ? Words.say("found", found.length) : "";
  results.replaceChildren(...found.map(entry => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = entry.page;
    link.textContent = `${Words.say("act", entry.number)} · ${entry.title[Words.language]}`;
    item.append(link);
    return item;
  }));
}
// The words come with the first question, not with the page.
function load() {
  const script = document.createElement("script");
  script.src = "assets/search.js";
  script.onload = search;
  document.body.append(script);
}

Words.choose(search);
field.addEventListener("focus", load, { once: true });
field.addEventListener("input", search);
if (act && document.getElementById(act)) location.replace(act + ".html" + location.hash);
