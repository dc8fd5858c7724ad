/* The sets on the table, arranged by taps: tap a tile, then tap where it goes; and racks, tile by
   tile. What is arranged stands in the form's field all the time, in the notation that is sent, so
   nothing else keeps it; whether a set is legal says the server. */
"use strict";

(() => {
  const live = document.getElementById("live");
  const SIZES = ["few", "many", "dense"]; // of the tiles, as large as all of them fit
  const CLICK_MILLISECONDS = 30; // the click follows the lifting of the finger
  const states = new WeakMap(); // editor -> { before, held, active }, see `stateOf`
  let lifted = Promise.resolve(); // once no finger is down
  const drafts = new Map(); // a turn, and the table before it -> what was arranged in it last
  const verdicts = new Map(); // a set in its notation -> what the server says of it

  const turnOf = (editor) => `${editor.id} ${editor.dataset.turn} ${fieldOf(editor).defaultValue}`;
  const fieldOf = (editor) => editor.closest("form").querySelector(".field");
  const plain = (tile) => tile.replace(/=.*/, "");
  const filled = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  /* `before`: what the field held, and which set was active, before each move; `held`: the tile that was picked up, on the
     table { set, at } or of the pad { label }; `active`: the set that tiles of the pad go into. */
  function stateOf(editor) {
    if (!states.has(editor)) states.set(editor, { before: [], held: null, active: null });
    return states.get(editor);
  }

  function parse(text) {
    const sets = text.toUpperCase().split(/[\n,]/).map((line) => line.split(/\s+/).filter(Boolean));
    return sets.filter((tiles) => tiles.length && tiles.join() !== "-");
  }

  const isRack = (editor) => "worth" in editor.dataset;
  const written = (sets) => sets.map((tiles) => `${tiles.join(" ")}\n`).join("");

  /* ---- moves ---- */

  function change(editor, sets, active) {
    const field = fieldOf(editor);
    const state = stateOf(editor);
    const left = sets.filter((tiles) => tiles.length);
    state.before.push({ text: field.value, active: state.active });
    state.held = null;
    state.active = active ? left.indexOf(active) : null;
    field.value = written(left);
    draw(editor);
  }

  function tapped(editor, { set, at, label, into }) {
    if (isRack(editor)) return counted(editor, label, at);
    const state = stateOf(editor);
    const { held } = state;
    if (label) {
      if (state.active !== null) return put(editor, { label }, state.active);
      state.held = held?.label === label ? null : { label };
    } else if (into !== undefined) {
      if (held) return put(editor, held, Number(into));
      state.active = state.active === Number(into) ? null : Number(into);
    } else if (held && held.set !== set) {
      return put(editor, held, Number(set));
    } else {
      state.held = held?.at === at ? null : { set, at };
    }
    draw(editor);
  }

  function counted(editor, label, at) {
    const [rack = []] = parse(fieldOf(editor).value);
    if (label) rack.push(label);
    else rack.splice(at, 1);
    change(editor, [rack]);
  }

  function put(editor, held, into) {
    const sets = parse(fieldOf(editor).value);
    const target = (sets[into] ??= []);
    target.push(held.label ?? plain(sets[held.set].splice(held.at, 1)[0]));
    change(editor, sets, target);
  }

  const EDITS = {
    off(editor, { held }) {
      const sets = parse(fieldOf(editor).value);
      sets[held.set].splice(held.at, 1);
      change(editor, sets);
    },
    split(editor, { held }) {
      const sets = parse(fieldOf(editor).value);
      const order = inOrder(sets[held.set]);
      const from = order.indexOf(Number(held.at));
      const [kept, parted] = [order.slice(0, from), order.slice(from)];
      const tilesAt = (places) => places.map((at) => sets[held.set][at]);
      sets.splice(held.set, 1, tilesAt(kept), tilesAt(parted));
      change(editor, sets);
    },
    undo(editor, state) {
      const { text, active } = state.before.pop();
      fieldOf(editor).value = text;
      Object.assign(state, { held: null, active });
      draw(editor);
    },
    reset(editor, state) {
      const field = fieldOf(editor);
      if (field.value !== field.defaultValue) state.before.push({ text: field.value, active: null });
      field.value = field.defaultValue;
      Object.assign(state, { held: null, active: null });
      draw(editor);
    },
    instead(editor, _state, button) {
      editor.closest("[popover]").hidePopover(); // or the other would open within it
      document.getElementById(button.dataset.opens).showPopover();
    },
    type(editor, _state, button) {
      const form = editor.closest("form");
      const opens = form.classList.toggle("typing-it");
      button.setAttribute("aria-expanded", opens);
      draw(editor);
      if (opens) fieldOf(editor).focus();
    },
  };

  /* ---- drawing ---- */

  const keyOf = (editor, tile) => editor.querySelector(`.tile-pad [data-label="${plain(tile)}"]`);
  const nameOf = (editor, tile) => keyOf(editor, tile)?.getAttribute("aria-label") ?? tile;

  /* The keys of the form's key pad, a second time: they know how a tile looks and what it is called. */
  function makePad(editor) {
    const pad = editor.querySelector(".tile-pad");
    if (pad.firstChild) return;
    for (const key of editor.closest("form").querySelectorAll(".typed [data-type]")) {
      const label = key.dataset.type.trim();
      if (!/^([KRBO]\d+|J)$/.test(label)) continue;
      const tile = key.cloneNode(true);
      delete tile.dataset.type;
      tile.dataset.label = label;
      pad.append(tile);
    }
  }

  function draw(editor) {
    makePad(editor);
    const state = stateOf(editor);
    drafts.set(turnOf(editor), fieldOf(editor).value);
    const sets = parse(fieldOf(editor).value);
    if (isRack(editor)) return drawRack(editor, sets);
    if (!sets.length) state.active = 0; // the first tiles lie together
    const focused = document.activeElement?.closest(".laid") && document.activeElement.dataset;
    const known = parse(fieldOf(editor).defaultValue).flat().map(plain);
    const laid = editor.querySelector(".laid");
    laid.replaceChildren(...sets.map((tiles, set) => drawnSet(editor, tiles, set, known)));
    laid.append(drawnPlace(editor, sets.length, editor.dataset.new));
    drawPad(editor, sets);
    fit(editor, laid);
    tell(editor, sets);
    if (focused) focusAgain(editor, focused);
    ask(editor, sets);
  }

  function fit(editor, laid) {
    for (const size of SIZES) {
      editor.dataset.size = size;
      if (laid.scrollHeight <= laid.clientHeight) return;
    }
  }

  function drawRack(editor, sets) {
    const tiles = sets.flat();
    const drawn = tiles.map((_, at) => drawnTile(editor, tiles, 0, at, [...tiles]));
    editor.querySelector(".laid").replaceChildren(...drawn);
    drawPad(editor, sets);
    const { box, worth, sum } = editor.dataset;
    const [labels, costs] = [box.split(" "), worth.split(" ").map(Number)];
    const points = tiles.reduce((total, tile) => total + (costs[labels.indexOf(plain(tile))] ?? 0), 0);
    editor.querySelector("[role=status]").textContent = filled(sum, { points });
    const tally = editor.querySelector(".tally");
    if (tally) tally.textContent = filled(tally.dataset.tally, { tiles: tiles.length });
    enable(editor, { undo: stateOf(editor).before.length > 0 });
  }

  function drawnSet(editor, tiles, set, known) {
    const { active } = stateOf(editor);
    const verdict = verdicts.get(tiles.join(" "));
    const box = document.createElement("div");
    box.className = "set";
    box.setAttribute("role", "group");
    const numbered = filled(editor.dataset.set, { number: set + 1 });
    const words = verdict && (verdict.fault ?? editor.dataset.valid);
    box.setAttribute("aria-label", words ? `${numbered}: ${words}` : numbered);
    box.classList.toggle("active", active === set);
    if (verdict) box.classList.add(verdict.fault === null ? "legal" : "faulty");
    for (const at of inOrder(tiles)) box.append(drawnTile(editor, tiles, set, at, known));
    box.append(drawnPlace(editor, set, filled(editor.dataset.put, { number: set + 1 })));
    if (verdict?.fault) {
      const fault = document.createElement("p");
      fault.className = "why-not";
      fault.textContent = verdict.fault;
      box.append(fault);
    }
    return box;
  }

  function drawnTile(editor, tiles, set, at, known) {
    const { held } = stateOf(editor);
    const tile = tiles[at];
    const verdict = verdicts.get(tiles.join(" "));
    const stands = verdict?.fault === null ? verdict.stands[at] : tile.split("=")[1];
    const button = document.createElement("button");
    button.type = "button";
    Object.assign(button.dataset, { set, at });
    const piece = keyOf(editor, tile)?.querySelector(".piece").cloneNode(true);
    button.append(piece ?? `${tile}?`);
    let name = nameOf(editor, tile);
    if (plain(tile) === "J" && stands) {
      name = filled(editor.dataset.stands, { tile: nameOf(editor, stands) });
      const meaning = document.createElement("span");
      meaning.className = `stands tiles-${stands[0]}`;
      meaning.textContent = `${stands.slice(1)}${stands[0]}`;
      button.append(meaning);
    }
    button.setAttribute("aria-label", filled(editor.dataset.tile, { tile: name, number: set + 1 }));
    button.setAttribute("aria-pressed", held?.set === String(set) && held.at === String(at));
    const old = known.indexOf(plain(tile));
    button.classList.toggle("fresh", old < 0);
    if (old >= 0) known.splice(old, 1);
    return button;
  }

  function drawnPlace(editor, into, name) {
    const { active, held } = stateOf(editor);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "place";
    button.dataset.into = into;
    button.setAttribute("aria-label", name);
    button.setAttribute("aria-pressed", active === into);
    button.classList.toggle("open", held !== null);
    const isNew = name === editor.dataset.new;
    button.classList.toggle("new-set", isNew);
    button.textContent = isNew ? `+ ${name}` : "+";
    return button;
  }

  function drawPad(editor, sets) {
    const { held } = stateOf(editor);
    const { ink } = editor.dataset; // whose tiles the pad of a phone has
    const left = new Map();
    for (const tile of editor.dataset.box.split(" ")) left.set(tile, (left.get(tile) ?? 0) + 1);
    for (const tile of sets.flat().map(plain)) left.set(tile, (left.get(tile) ?? 0) - 1);
    for (const key of editor.querySelectorAll(".tile-pad button")) {
      const none = !(left.get(key.dataset.label) > 0);
      key.setAttribute("aria-disabled", none); // it keeps the focus of a keyboard
      key.setAttribute("aria-pressed", held?.label === key.dataset.label);
      key.classList.toggle("other-ink", Boolean(ink) && !["J", ink].includes(key.dataset.label[0]));
    }
    for (const tab of editor.querySelectorAll(".inks button")) {
      tab.setAttribute("aria-pressed", tab.dataset.ink === ink);
    }
  }

  /* What to do now, and what may be done with the tile that was picked up. */
  function tell(editor, sets) {
    const { held, active, before } = stateOf(editor);
    const tile = held && (held.label ?? sets[held.set][held.at]);
    const words = active === null ? editor.dataset.idle : editor.dataset.filling;
    const told = tile ? filled(editor.dataset.picked, { tile: nameOf(editor, tile) }) : words;
    const { meld } = editor.dataset;
    const status = editor.querySelector("[role=status]");
    status.textContent = meld ? `${told} ${filled(meld, { points: laidAnew(editor, sets) })}` : told;
    const onTable = held !== null && !held.label;
    const isFirst = onTable && inOrder(sets[held.set])[0] === Number(held.at);
    enable(editor, { off: onTable, split: onTable && !isFirst, undo: before.length > 0 });
  }

  /* What the sets of new tiles alone are worth together, as far as they are sets. */
  function laidAnew(editor, sets) {
    const worth = ({ stands }) => stands.reduce((sum, tile) => sum + Number(tile.slice(1)), 0);
    const boxes = [...editor.querySelectorAll(".laid .set")];
    return boxes.reduce((sum, box, set) => {
      const counts = box.matches(".legal") && !box.querySelector("[data-at]:not(.fresh)");
      return counts ? sum + worth(verdicts.get(sets[set].join(" "))) : sum;
    }, 0);
  }

  function enable(editor, possible) {
    for (const [edit, can] of Object.entries(possible)) {
      const button = editor.closest("form").querySelector(`[data-edit=${edit}]`);
      button.setAttribute("aria-disabled", !can);
    }
  }

  function focusAgain(editor, { set, at, into }) {
    const { held, active } = stateOf(editor);
    const again = held && !held.label ? `[data-set="${set}"][data-at="${at}"]` : `[data-into="${active ?? into}"]`;
    (editor.querySelector(`.laid ${again}`) ?? editor.querySelector(".laid button")).focus();
  }

  /* The places of a set's tiles as they lie: by what each stands for once it is a set. */
  function inOrder(tiles) {
    const verdict = verdicts.get(tiles.join(" "));
    const places = [...tiles.keys()];
    if (verdict?.fault !== null) return places;
    const rank = (at) => Number(verdict.stands[at].slice(1)) * 4 + "KRBO".indexOf(verdict.stands[at][0]);
    return places.sort((one, other) => rank(one) - rank(other));
  }

  /* ---- whether they are sets ---- */

  async function ask(editor, sets) {
    const unknown = [...new Set(sets.map((tiles) => tiles.join(" ")))].filter((set) => !verdicts.has(set));
    if (!unknown.length) return;
    const asked = `${editor.dataset.verdicts}?${new URLSearchParams({ text: unknown.join(",") })}`;
    const answer = await fetch(asked, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) return; // a word that is no tile: the server says so when it is entered
    const said = await answer.json();
    unknown.forEach((set, at) => said.sets[at] && verdicts.set(set, said.sets[at]));
    await lifted; // a button that is replaced under a finger takes no tap
    if (editor.isConnected) draw(editor);
  }

  /* ---- what happens on the page ---- */

  document.addEventListener(
    "pointerdown",
    () => {
      lifted = new Promise((done) => {
        for (const end of ["pointerup", "pointercancel"]) {
          document.addEventListener(end, () => setTimeout(done, CLICK_MILLISECONDS), { once: true, capture: true });
        }
      });
    },
    true,
  );

  live.addEventListener("click", ({ target }) => {
    const button = target.closest(".set-editor button, [data-edit]");
    const editor = button?.closest("form").querySelector(".set-editor");
    if (!editor || button.getAttribute("aria-disabled") === "true") return;
    const { edit, ink } = button.dataset;
    if (ink) {
      editor.dataset.ink = ink;
      draw(editor);
    } else if (edit) EDITS[edit](editor, stateOf(editor), button);
    else tapped(editor, button.dataset);
  });

  live.addEventListener("keydown", (event) => {
    const button = event.target.closest(".laid button, .tile-pad button");
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!button || !step) return;
    event.preventDefault();
    nearest(button, step)?.focus();
  });

  /* The next button that way: little aside counts more than little ahead. */
  function nearest(from, [right, down]) {
    const middle = (thing) => {
      const { x, y, width, height } = thing.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(from);
    const ways = [...from.parentElement.closest(".laid, .tile-pad").querySelectorAll("button")].map((button) => {
      const [dx, dy] = middle(button).map((edge, axis) => edge - [x, y][axis]);
      const [ahead, aside] = [dx * right + dy * down, Math.abs(dx * down) + Math.abs(dy * right)];
      return { button, ahead, far: ahead + 3 * aside };
    });
    return ways.filter(({ ahead }) => ahead > 1).sort((one, other) => one.far - other.far)[0]?.button;
  }

  live.addEventListener("input", ({ target }) => {
    const editor = target.closest("form")?.querySelector(".set-editor");
    if (!editor) return;
    start(editor.closest(".sheet-over"));
  });

  /* What is entered for each player in a row: the next one's dialog opens by itself. */
  let entered = null;

  live.addEventListener("answered", ({ detail: { dialog, refused } }) => {
    const { row } = document.getElementById(dialog)?.dataset ?? {};
    entered = row && !refused ? { row, dialog } : null;
  });

  live.addEventListener("settled", () => {
    if (!entered || live.querySelector(":popover-open")) return;
    const { row, dialog } = entered; // which may be there for a moment still
    const next = live.querySelector(`[data-row="${row}"]:not(#${dialog})`);
    entered = null;
    next?.showPopover();
    next?.querySelector(".tile-pad button, .typing button")?.focus();
  });

  function start(dialog, opens) {
    for (const editor of dialog.querySelectorAll(".set-editor")) {
      const field = fieldOf(editor);
      const draft = drafts.get(turnOf(editor)); // the time was up, or the turn was taken back
      if (opens && draft && field.value === field.defaultValue) {
        if (draft !== field.value) stateOf(editor).before.push({ text: field.value, active: null });
        field.value = draft;
      }
      Object.assign(stateOf(editor), { held: null, active: null });
      draw(editor);
    }
  }

  for (const kind of ["beforetoggle", "toggle"]) { // drawn before it is seen, and fitted once it is
    live.addEventListener(kind, ({ target, newState }) => newState === "open" && start(target, true), true);
  }
  window.addEventListener("resize", () => {
    for (const editor of live.querySelectorAll(":popover-open .set-editor")) draw(editor);
  });

  for (const dialog of live.querySelectorAll(":popover-open")) start(dialog);
})();
