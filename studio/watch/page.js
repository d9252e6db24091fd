"use strict";
// Asks for the state again and again; each answer comes when something has changed.

const $ = id => document.getElementById(id);
const element = (name, text, more = {}) =>
  Object.assign(document.createElement(name), { textContent: text }, more);
let shown = {};  // the state as it is shown

const choose = choice => fetch("choose", { method: "POST", body: JSON.stringify(choice) });

function fill(list, rows) {
  list.replaceChildren(...rows);
}

function row(cells, tooMuch = false) {
  const made = element("tr", "", { className: tooMuch ? "too-much" : "" });
  made.append(...cells.map(cell => element("td", cell)));
  return made;
}

function showPlan(plan) {
  document.title = `${plan.beat} · ${plan.act}`;
  $("title").textContent = `${plan.act} · ${plan.title}`;
  fill($("beat"), plan.beats.map(beat => element("option",
    `${beat.name} (${beat.seconds.toFixed(1)} s)`, { value: beat.name, title: beat.title })));
  $("beat").value = plan.beat;
  $("language").value = plan.language;
  $("theme").value = plan.theme;
  $("beat-title").textContent = plan.beat_title;
  $("source").textContent = [plan.source, ...plan.anchors].join(" · ");
  fill($("lines"), plan.lines.map(line => {
    const item = element("li", "", { lang: plan.language });
    item.dataset.at = line.at;
    item.append(element("time", `${line.at.toFixed(1)} s`), line.text);
    return item;
  }));
  showCues(plan, shown.moves || []);
  if (!$("parameters").contains(document.activeElement))
    fill($("parameters"), plan.parameters.map(parameter));
}

function showCues(plan, moves) {
  fill($("cues"), plan.cues.map(cue => {
    const move = moves.find(each => each.cue === cue.name);
    const late = move ? move.at - cue.at : 0;
    return row([`[${cue.name}]`, `${cue.at.toFixed(1)} s`,
      move ? `moves at ${move.at.toFixed(1)} s` : "…"], Math.abs(late) > 0.5);
  }));
}

function parameter(each) {
  const label = element("label", `${each.name} `);
  const input = element("input", "", { name: each.name, value: each.value });
  label.append(input, element("small", [each.range, each.help].filter(Boolean).join("; ")));
  input.onchange = () => choose({ settings: Object.fromEntries(
    [...$("parameters").elements].map(field => [field.name, field.value])) });
  return label;
}

async function showFilm(name) {
  if (!name || !$("plays").checked) {
    $("film").pause();
    $("film").hidden = true;
    $("still").hidden = !shown.still;
    return;
  }
  const data = await (await fetch(name)).blob();  // whole, so that one can seek in it
  if (name !== shown.film) return;
  URL.revokeObjectURL($("film").src);
  $("film").src = URL.createObjectURL(data);
  $("film").hidden = false;
  $("still").hidden = true;
  $("film").play().catch(() => {});
}

function show(state) {
  const before = shown;
  shown = state;
  if (state.plan && JSON.stringify(state.plan) !== JSON.stringify(before.plan))
    showPlan(state.plan);
  if (state.still && state.still !== before.still) $("still").src = state.still;
  if (state.film !== before.film || state.still !== before.still) showFilm(state.film);
  if (state.plan) showCues(state.plan, state.moves);
  fill($("pace"), state.pace.map(([what, value, tooMuch]) => row([what, value], tooMuch)));
  $("error").hidden = !state.error;
  $("error").textContent = state.error;
  document.body.classList.toggle("stale", Boolean(state.error));
  $("status").textContent = state.error ? "the picture is the last good one"
    : state.drawing ? "drawing…" : "as saved";
}

$("film").ontimeupdate = () => {
  const items = [...$("lines").children];
  const now = items.filter(item => item.dataset.at <= $("film").currentTime).pop();
  items.forEach(item => item.classList.toggle("spoken", item === now));
};
$("beat").onchange = () => choose({ beat: $("beat").value });
$("language").onchange = () => choose({ language: $("language").value });
$("theme").onchange = () => choose({ theme: $("theme").value });
$("plays").onchange = () => showFilm(shown.film);
$("parameters").onsubmit = event => event.preventDefault();

async function listen() {
  for (;;) {
    try {
      show(await (await fetch(`state?after=${shown.number ?? -1}`)).json());
    } catch {
      $("status").textContent = "render.py watch has ended";
      await new Promise(done => setTimeout(done, 1000));
    }
  }
}
listen();
