// A text to take away: it stands in a field, so that it can be copied where the clipboard is out
// of reach.
"use strict";

async function offer(text, field, announce) {
  field.hidden = false;
  field.value = text;
  field.select();
  try { await navigator.clipboard.writeText(text); announce(Words.say("copied")); }
  catch { announce(Words.say("byHand")); }
}
