// The card table: one ES module without dependencies, words or rules of its own.
// Everything shown comes from `data` (see contract.py); finished actions go out through `send`.
// Default export: wrapper for Streamlit components v2. `mount(root, data, send)` is the core.

const NS = "http://www.w3.org/2000/svg";
const PATHS = {
  h: "M12 21.2C5 15.6 2.3 12 2.3 8.3c0-2.9 2.2-4.9 4.8-4.9 2 0 3.8 1.1 4.9 3.1 1.1-2 2.9-3.1 4.9-3.1 2.6 0 4.8 2 4.8 4.9 0 3.7-2.7 7.3-9.7 12.9z",
  d: "M12 1.6 20 12l-8 10.4L4 12z",
  s: "M12 1.8c4.6 4.7 9.2 7.6 9.2 12.1 0 2.8-2 4.7-4.4 4.7-1.5 0-2.8-.7-3.6-1.8.2 2.1.9 3.8 2.3 5.4h-7c1.4-1.6 2.1-3.3 2.3-5.4-.8 1.1-2.1 1.8-3.6 1.8-2.4 0-4.4-1.9-4.4-4.7C2.8 9.4 7.4 6.5 12 1.8z",
  c: "M12 1.9a4.5 4.5 0 0 1 4 6.6 4.5 4.5 0 1 1-2.7 7.6c.2 2.3.9 4.2 2.4 6H8.3c1.5-1.8 2.2-3.7 2.4-6A4.5 4.5 0 1 1 8 8.5a4.5 4.5 0 0 1 4-6.6z",
  star: "M12 1.7l3.1 6.7 7.3.9-5.4 5 1.4 7.3L12 18l-6.4 3.6L7 14.3l-5.4-5 7.3-.9z",
  left: "M18 4v16L5 12z",
  right: "M6 4v16l13-8z",
  up: "M12 4l10 16H2z",
  down: "M12 20 2 4h20z",
};
const LINES = {
  undo: ["M9 6 4 11l5 5", "M4 11h10a6 6 0 0 1 0 12h-2"],
  branch: ["M6 7.6v8.8", "M18 9.6c0 5-12 2-12 7", "M6 2.4a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2", "M6 16.4a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2", "M18 4.4a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2"],
  first: ["M6 5v14", "M18 5 9 12l9 7z"],
  previous: ["M16 5 7 12l9 7z"],
  next: ["M8 5l9 7-9 7z"],
  last: ["M18 5v14", "M6 5l9 7-9 7z"],
};
const COUNTER_STORE = "paili:counter";
const CHOSEN_STORE = "paili:chosen";
const LOCK_MS = 4000;
const HOLD_MS = 450;

// ---------------------------------------------------------------- nodes

function h(tag, props, ...kids) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "vars") for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else if (key.startsWith("on")) node[key] = value;
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  for (const kid of kids.flat(3)) {
    if (kid === null || kid === undefined || kid === false) continue;
    node.append(kid instanceof Node ? kid : document.createTextNode(String(kid)));
  }
  return node;
}

function svg(shapes, size) {
  const node = document.createElementNS(NS, "svg");
  node.setAttribute("viewBox", "0 0 24 24");
  node.setAttribute("aria-hidden", "true");
  if (size) {
    node.setAttribute("width", size);
    node.setAttribute("height", size);
  }
  for (const [tag, attributes] of shapes) {
    const shape = document.createElementNS(NS, tag);
    for (const [k, v] of Object.entries(attributes)) shape.setAttribute(k, v);
    node.append(shape);
  }
  return node;
}
const solid = (name, size) => svg([["path", { d: PATHS[name], fill: "currentColor" }]], size);
const lined = (name, size) => svg(LINES[name].map((d) => ["path", { d, fill: "none", stroke: "currentColor", "stroke-width": 2.2, "stroke-linejoin": "round", "stroke-linecap": "round" }]), size);
const star = (big, size) => svg([["path", { d: PATHS.star, fill: big ? "currentColor" : "none", stroke: "currentColor", "stroke-width": big ? 0 : 2, "stroke-linejoin": "round" }]], size);

function hat(role, size) {
  const cut = "var(--c)";
  const shapes = role === "landlord"
    ? [
        ["path", { d: "M4.6 14.2C4.6 8.8 7.7 5.3 12 5.3s7.4 3.5 7.4 8.9z", fill: "currentColor" }],
        ["circle", { cx: 12, cy: 3.6, r: 1.9, fill: "currentColor" }],
        ["path", { d: "M9.3 14.2c0-3.6.9-6.3 2.7-8.2 1.8 1.9 2.7 4.6 2.7 8.2", fill: "none", style: `stroke:${cut}`, "stroke-width": 1.1 }],
        ["path", { d: "M3.9 15.4c5.4-1 10.8-1 16.2 0v4.2c-5.4 1-10.8 1-16.2 0z", fill: "currentColor" }],
        ["circle", { cx: 12, cy: 17.5, r: 1.35, style: `fill:${cut}` }],
      ]
    : [
        ["path", { d: "M12 4.2c.6 0 1 .2 1.4.8l8.3 10.8c.7 1-.1 1.9-1.2 1.7-5.6-1-11.4-1-17 0-1.1.2-1.9-.7-1.2-1.7L10.6 5c.4-.6.8-.8 1.4-.8z", fill: "currentColor" }],
        ["path", { d: "M7.4 11.4c3-.8 6.2-.8 9.2 0", fill: "none", style: `stroke:${cut}`, "stroke-width": 1.4 }],
        ["path", { d: "M6 20c4-.9 8-.9 12 0", fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" }],
      ];
  const node = h("span", { class: `hat ${role}` }, svg(shapes, size * 0.7));
  node.style.width = node.style.height = `${size}px`;
  return node;
}

// ---------------------------------------------------------------- words and cards

const clamp = (low, x, high) => Math.max(low, Math.min(x, high));
const isJoker = (rank) => rank === "X" || rank === "D";
// Arrows of a role are drawn, never text, so that no device turns them into pictures.
const unarrowed = (text) => String(text).replace(/\s*[\u25c0\u25b6]\ufe0e?\s*/g, "");
const isLatin = (text) => /^[\x20-\x7e]*$/.test(text);
const glyph = (rank) => (rank === "T" ? "10" : rank);

function say(words, key, values = {}) {
  const one = values.n === 1 && words[`${key}_one`];
  return String(one || words[key] || "").replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
}
const ranksText = (words, codes) => [...codes].map((c) => (c === "D" ? words.joker_big : c === "X" ? words.joker_small : glyph(c))).join("");
const comboText = (words, row) => row[5] || ranksText(words, row[0]) + (row[1] ? `+${ranksText(words, row[1])}` : "");
const ink = (card) => (isJoker(card.rank) ? "joker" : card.suit === "h" || card.suit === "d" ? "red" : "blk");

function face(words, card, props = {}) {
  const { class: extra = "", ...rest } = props;
  const attributes = { class: `card ${ink(card)} ${card.gone ? "gone" : ""} ${extra}`, ...rest };
  const mark = card.mark ? h("span", { class: "mk", "aria-hidden": "true" }, card.mark) : null;
  if (isJoker(card.rank)) {
    const big = card.rank === "D";
    const label = big ? words.joker_big : words.joker_small;
    return h("span", attributes,
      h("span", { class: "jk", "aria-hidden": "true" }, star(big), h("span", { class: isLatin(label) ? "lat" : "" }, label)),
      h("span", { class: "pip", "aria-hidden": "true" }, star(big)), mark);
  }
  return h("span", attributes,
    h("span", { class: "ix", "aria-hidden": "true" }, h("b", { class: card.rank === "T" ? "ten" : "" }, glyph(card.rank)), PATHS[card.suit] && solid(card.suit)),
    PATHS[card.suit] && h("span", { class: "pip", "aria-hidden": "true" }, solid(card.suit)), mark);
}
function mini(card) {
  const inside = isJoker(card.rank) ? star(card.rank === "D") : glyph(card.rank);
  return h("span", { class: `card mini ${ink(card)} ${card.gone ? "gone" : ""} ${card.rank === "T" ? "ten" : ""}`, role: "img", "aria-label": card.name, title: card.name }, inside);
}
function back(words, w) {
  return h("span", { class: "card back", role: "img", "aria-label": words.face_down, vars: { "--w": `${w}px` } }, h("span", { class: "lattice" }));
}

// Cards of a combination: overlapping, kickers a gap away, in rows where they do not fit.
function lane(words, main, kickers, room, widest, narrowest) {
  const cards = [...main.map((card) => [card, false]), ...kickers.map((card, i) => [card, i === 0 && main.length > 0])];
  const share = 0.54;
  const units = (n, gap) => 1 + share * (n - 1) + (gap ? 1.12 - share : 0);
  const w = clamp(narrowest, Math.floor(room / units(cards.length, kickers.length && main.length)), widest);
  let step = share;
  if (units(cards.length, kickers.length && main.length) * w > room) step = 0.42;
  const rows = [[]];
  let used = 0;
  for (const [card, gap] of cards) {
    const row = rows[rows.length - 1];
    const need = row.length === 0 ? w : gap ? 1.12 * w : step * w;
    if (row.length && used + need > room + 0.5) {
      rows.push([[card, false]]);
      used = w;
    } else {
      row.push([card, gap]);
      used += need;
    }
  }
  return h("span", { class: "lane", role: "img", "aria-label": cards.map(([card]) => card.name).join(", "), vars: { "--w": `${w}px`, "--step": `${step * w}px` } },
    rows.map((row) => h("span", { class: "row" }, row.map(([card, gap]) => face(words, card, { class: gap ? "gap" : "" })))));
}
function strip(words, seat) {
  const groups = [];
  for (const card of seat.hand) {
    const last = groups[groups.length - 1];
    if (last && last.rank === card.rank) last.n += 1;
    else groups.push({ rank: card.rank, n: 1 });
  }
  return h("span", { class: "strip", role: "img", "aria-label": `${say(words, "open_hand", { name: seat.label })}: ${seat.hand.map((c) => c.name).join(", ")}` },
    groups.map((g) => h("span", {}, Array.from({ length: g.n }, () => (isJoker(g.rank) ? star(g.rank === "D") : glyph(g.rank))))));
}

// ---------------------------------------------------------------- geometry of the hand

export function fanGeometry(keys, W) {
  // keys: one per card, equal where cards stand close together.
  const n = keys.length, rho = 0.62;
  let changes = 0;
  for (let i = 1; i < n; i++) changes += keys[i] !== keys[i - 1];
  const w = clamp(56, 0.086 * W, 96), f = 0.37 * w;
  const outer = Math.min(0.66 * w, (W - w) / Math.max(1, changes + rho * (n - 1 - changes)));
  const inner = rho * outer;
  const xs = [0];
  for (let i = 1; i < n; i++) xs.push(xs[i - 1] + (keys[i] === keys[i - 1] ? inner : outer));
  const total = n ? xs[n - 1] + w : 0;
  return { w, f, outer, inner, height: 1.4 * w, xs: xs.map((x) => x + (W - total) / 2), legible: inner >= 0.95 * f };
}

export function columnGeometry(hand, W, phone) {
  const top = hand.length > 24 ? (phone ? 210 : 270) : phone ? 140 : 270;
  let columns = [];
  for (const card of hand) {
    const last = columns.find((q) => q.code === card.code);
    if (last) last.cards.push(card);
    else columns.push({ code: card.code, cards: [card] });
  }
  const jokers = columns.filter((q) => isJoker(q.code));
  if (jokers.length === 2 && W / columns.length < 24) {
    const both = { code: "XD", cards: jokers.flatMap((q) => q.cards) };
    columns = [both, ...columns.filter((q) => !isJoker(q.code))];
  }
  const c = Math.max(1, columns.length), narrow = W < 480, gap = narrow ? 2 : 8;
  const cw = Math.min(72, (W - gap * (c - 1)) / c);
  const base = Math.max(1.4 * cw, narrow ? 58 : 76);
  const most = Math.max(1, ...columns.map((q) => q.cards.length));
  const f = clamp(18, 0.7 * cw, 26);
  const strip_ = most > 1 ? clamp(9, (top - base) / (most - 1), 1.28 * f) : 1.28 * f;
  const total = cw * c + gap * (c - 1);
  columns.forEach((q, i) => { q.x = (W - total) / 2 + i * (cw + gap); });
  return { columns, cw, gap, base, f, strip: strip_, rise: narrow ? 10 : 12, height: base + strip_ * (most - 1) };
}

// ---------------------------------------------------------------- recognising a selection

const LANES = "3456789TJQKA2XD*";
function counts(codes) {
  const out = new Array(LANES.length).fill(0);
  for (const code of codes) out[LANES.indexOf(code)] += 1;
  return out;
}
const distance = (a, b) => a.reduce((sum, x, i) => sum + Math.abs(x - b[i]), 0);

export function recognise(phase, codes) {
  // {rows: readings of exactly these cards, nearest: the ok row with the fewest changes}
  const wanted = counts(codes);
  const rows = [];
  let nearest = null, best = Infinity;
  for (const row of phase.plays) {
    const have = (row.counts ||= counts(row[0] + row[1]));
    const d = distance(wanted, have);
    if (d === 0) rows.push(row);
    else if (row[3] === "ok" && d < best) [nearest, best] = [row, d];
  }
  const ready = rows.filter((row) => row[3] === "ok");
  return { rows: ready.length ? ready : rows, ok: ready.length > 0, nearest, wanted };
}

// ---------------------------------------------------------------- storage

export function readStore(key) {
  try {
    return { text: globalThis.localStorage.getItem(key), storage: true };
  } catch {
    return { text: null, storage: false };
  }
}
export function writeStore(key, text) {
  try {
    if (text === null) globalThis.localStorage.removeItem(key);
    else globalThis.localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

// ---------------------------------------------------------------- the table

class Table {
  constructor(root, send) {
    this.root = root;
    this.emit = send;
    this.selected = new Set();
    this.at = 0; // place of the one tab stop in the hand
    this.order = "rank";
    this.keys = {};
    this.saved = {};
    this.restored = new Set();
    this.heard = -1;
    this.tallest = 0;
    this.reading = 0;
    this.box = {};
    this.skeleton();
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(root);
  }

  skeleton() {
    const b = this.box;
    b.tline = h("div", { class: "tline" });
    b.arena = h("div", {});
    b.counter = h("div", { class: "counter" });
    b.me = h("div", { class: "me" });
    b.hand = h("div", { class: "hand", role: "group" });
    b.bar = h("div", { class: "bar" });
    b.mat = h("section", { class: "mat" }, b.tline, b.arena, b.counter, b.me, b.hand, b.bar);
    b.messages = h("div", { role: "status" });
    b.pick = h("div", {});
    b.result = h("div", {});
    b.replay = h("div", {});
    b.guide = h("div", {});
    b.ladder = h("div", {});
    b.help = h("div", { class: "help" }, b.messages, b.pick, b.result, b.replay, b.guide, b.ladder);
    b.below = h("div", { class: "below" });
    b.summary = h("section", { class: "sr" });
    b.status = h("div", { class: "sr", role: "status" });
    b.log = h("div", { class: "sr", role: "log", "aria-live": "polite" });
    this.root.classList.add("paili");
    this.root.replaceChildren(b.summary, b.mat, b.help, b.below, b.status, b.log);
    this.root.onkeydown = (event) => this.key(event);
    b.hand.onpointerdown = (event) => this.down(event);
    b.hand.onpointermove = (event) => this.move(event);
    b.hand.onpointerup = (event) => this.up(event);
    b.hand.onpointercancel = () => this.up(null);
    b.hand.onclick = (event) => this.click(event);
    b.hand.oncontextmenu = (event) => this.context(event);
    b.hand.onfocusin = (event) => {
      const i = event.target.dataset && event.target.dataset.i;
      if (i !== undefined) this.rove(Number(i), false);
    };
  }

  // ---- data in

  update(data) {
    const before = this.data;
    this.data = data;
    this.await(data);
    if (data.blank) {
      this.keep();
      return;
    }
    if (before && before.game !== data.game) {
      this.selected.clear();
      this.tallest = 0;
      this.own = null;
      this.group = null;
      this.tab = null;
      this.heard = -1;
      this.keys.log = null;
    }
    if (!before || before.blank) this.recall();
    const ids = new Set(data.hand.map((card) => card.id));
    for (const id of [...this.selected]) if (!ids.has(id)) this.selected.delete(id);
    if (before && before.number !== data.number) {
      this.group = null;
      this.reading = 0;
      this.tab = null;
    } else if (before && before.ladder && data.ladder && before.ladder.at !== data.ladder.at) this.tab = null;
    this.render();
    this.keep();
  }

  recall() {
    // A selection made before another page was looked at is taken up again.
    try {
      const kept = JSON.parse(globalThis.sessionStorage.getItem(CHOSEN_STORE) || "null");
      if (kept && kept.game === this.data.game && Array.isArray(kept.cards)) kept.cards.forEach((id) => this.selected.add(id));
    } catch {
      /* storage is off, or what is there is not ours: nothing is selected */
    }
  }

  remember() {
    const text = JSON.stringify({ game: this.data.game, cards: [...this.selected] });
    if (text === this.remembered) return;
    this.remembered = text;
    try {
      globalThis.sessionStorage.setItem(CHOSEN_STORE, text);
    } catch {
      /* storage is off: the selection lasts as long as the table stands */
    }
  }

  await(data) {
    // While a bot is to act, ask for its action after a pause, and again if no answer comes.
    clearTimeout(this.ticking);
    if (typeof data.tick !== "number") return;
    const ask = () => {
      this.emit("action", { number: data.number, kind: "tick" });
      this.ticking = setTimeout(ask, LOCK_MS);
    };
    this.ticking = setTimeout(ask, data.tick);
  }

  resized() {
    const width = Math.round(this.root.clientWidth);
    if (width && width !== this.width && this.data && !this.data.blank) {
      this.tallest = 0;
      this.render();
    }
  }

  keep() {
    // What is kept is read before anything is written over it.
    const asked = this.data.want_restore;
    let answered = null;
    if (asked && !this.restored.has(asked)) {
      this.restored.add(asked);
      answered = asked;
      const found = readStore(asked);
      queueMicrotask(() => this.emit("restore", { key: asked, ...found }));
    }
    for (const { key, text } of this.data.save || []) {
      if (key === answered || this.saved[key] === text) continue;
      this.saved[key] = text;
      writeStore(key, text);
    }
  }

  // ---- actions out

  locked() {
    const lock = this.lock;
    return Boolean(lock && lock.number === this.data.number && lock.refused === (this.data.refused || 0) && Date.now() - lock.time < LOCK_MS);
  }

  act(kind, more = {}) {
    const { number, refused = 0 } = this.data;
    const final = kind === "play" || kind === "pass" || kind === "choice" || kind === "deal";
    const now = Date.now();
    if (final) {
      if (this.locked()) return;
      this.lock = { number, refused, time: now };
      this.showBusy();
    } else {
      const sign = JSON.stringify([kind, more, number]);
      if (this.soft && this.soft.sign === sign && this.soft.data === this.data && now - this.soft.time < 1500) return;
      this.soft = { sign, data: this.data, time: now };
    }
    this.emit("action", { number, kind, ...more });
  }

  press(button) {
    if (button.disabled) return;
    this.act(button.kind, button.value === undefined ? {} : { value: button.value });
  }

  play() {
    const state = this.state;
    if (!state || !state.can) {
      this.tell(this.box.play ? this.box.play.textContent : "");
      return;
    }
    this.act("play", { cards: this.chosen().map((card) => card.id), move: state.row ? String(state.row[4]) : "" });
  }

  pass() {
    const phase = this.data.phase;
    if (phase.kind !== "play" || !phase.mine) return;
    if (!phase.can_pass) this.tell(phase.reasons.pass || "");
    else this.act("pass");
  }

  hint() {
    const phase = this.data.phase;
    if (phase.hint) this.act("hint");
  }

  tell(text) {
    this.box.status.textContent = "";
    this.box.status.textContent = text;
  }

  // ---- selection

  chosen() {
    return this.data.hand.filter((card) => this.selected.has(card.id));
  }

  take(codes) {
    // Select exactly these codes, keeping what is selected already where it fits.
    const want = new Map();
    for (const code of codes) want.set(code, (want.get(code) || 0) + 1);
    const hand = this.data.hand;
    const ordered = [...hand.filter((card) => this.selected.has(card.id)), ...hand.filter((card) => !this.selected.has(card.id))];
    const next = new Set();
    for (const card of ordered) {
      const left = want.get(card.code) || 0;
      if (left > 0) {
        want.set(card.code, left - 1);
        next.add(card.id);
      }
    }
    this.selected = next;
    this.changed();
  }

  clear() {
    this.selected.clear();
    this.group = null;
    this.changed();
  }

  changed() {
    this.reading = 0;
    this.normalise();
    this.drawSelection();
    this.renderBar();
    this.renderMe();
    this.renderPick();
    const play = this.box.play;
    this.tell(play && this.selected.size ? play.innerText : say(this.data.words, "selected_n", { n: this.selected.size }));
  }

  normalise() {
    // In columns the selected copies are the rear ones, that is the first of each column.
    if (!this.columns) return;
    for (const column of this.columns.columns) {
      if (column.code === "XD") continue;
      const k = column.cards.filter((card) => this.selected.has(card.id)).length;
      column.cards.forEach((card, i) => (i < k ? this.selected.add(card.id) : this.selected.delete(card.id)));
    }
  }

  toggle(i) {
    if (this.columns) this.cycle(this.columns.columns[i], 1);
    else {
      const id = this.laid[i].id;
      if (!this.selected.delete(id)) this.selected.add(id);
      this.changed();
    }
  }

  cycle(column, by) {
    const cards = column.cards;
    const steps = [[]];
    const codes = [...new Set(cards.map((card) => card.code))];
    const piles = codes.map((code) => cards.filter((card) => card.code === code));
    const build = (k, taken) => {
      if (k === piles.length) {
        if (taken.length) steps.push(taken);
        return;
      }
      for (let n = piles[k].length; n >= 0; n--) build(k + 1, [...taken, ...piles[k].slice(0, n)]);
    };
    build(0, []);
    steps.sort((a, b) => a.length - b.length);
    const held = cards.filter((card) => this.selected.has(card.id)).map((card) => card.id).sort().join();
    const now = Math.max(0, steps.findIndex((step) => step.map((card) => card.id).sort().join() === held));
    const next = steps[(now + by + steps.length) % steps.length];
    for (const card of cards) this.selected.delete(card.id);
    for (const card of next) this.selected.add(card.id);
    this.changed();
  }

  // ---- pointer: tap, swipe, press and hold

  placeAt(x) {
    const left = this.box.hand.getBoundingClientRect().left;
    const at = x - left;
    if (this.columns) {
      const { columns, cw, gap } = this.columns;
      const i = columns.findIndex((q) => at >= q.x - gap / 2 && at < q.x + cw + gap / 2);
      return i;
    }
    const { xs, w } = this.fan;
    if (!xs.length || at < xs[0] || at > xs[xs.length - 1] + w) return -1;
    let i = 0;
    while (i + 1 < xs.length && xs[i + 1] <= at) i += 1;
    return i;
  }

  down(event) {
    this.skip = false;
    if (event.button !== 0) return;
    const node = event.target.closest("[data-i]");
    if (!node) return;
    const i = Number(node.dataset.i);
    this.drag = { i, x: event.clientX, y: event.clientY, id: event.pointerId, swiping: false, done: new Set() };
    clearTimeout(this.holding);
    this.holding = setTimeout(() => {
      this.skip = true;
      this.drag = null;
      this.showGroup(i);
    }, HOLD_MS);
  }

  move(event) {
    const drag = this.drag;
    if (!drag || drag.id !== event.pointerId) return;
    const dx = Math.abs(event.clientX - drag.x), dy = Math.abs(event.clientY - drag.y);
    if (!drag.swiping) {
      if (dx < 8 && dy < 8) return;
      clearTimeout(this.holding);
      if (dy > dx) {
        this.drag = null;
        return;
      }
      drag.swiping = true;
      this.skip = true;
      try {
        this.box.hand.setPointerCapture(drag.id);
      } catch {
        // A pointer that is already gone cannot be captured; the swipe goes on without it.
      }
      if (this.columns) {
        const column = this.columns.columns[drag.i];
        const k = column.cards.filter((card) => this.selected.has(card.id)).length;
        drag.each = Math.max(1, k);
      } else drag.add = !this.selected.has(this.laid[drag.i].id);
      this.sweep(drag.i);
      drag.last = drag.i;
    }
    const i = this.placeAt(event.clientX);
    if (i < 0 || i === drag.last) return;
    const step = i > drag.last ? 1 : -1;
    for (let j = drag.last + step; j !== i + step; j += step) this.sweep(j);
    drag.last = i;
  }

  sweep(i) {
    const drag = this.drag;
    if (drag.done.has(i)) return;
    drag.done.add(i);
    if (this.columns) {
      const cards = this.columns.columns[i].cards;
      cards.forEach((card, k) => (k < drag.each ? this.selected.add(card.id) : this.selected.delete(card.id)));
    } else {
      const id = this.laid[i].id;
      if (drag.add) this.selected.add(id);
      else this.selected.delete(id);
    }
    this.changed();
  }

  up(event) {
    clearTimeout(this.holding);
    const drag = this.drag;
    this.drag = null;
    if (!event || !drag || drag.swiping || event.pointerType !== "touch") return;
    // A finger's tap counts when it is lifted: a browser may swallow the click after a swipe.
    this.skip = true;
    clearTimeout(this.skipping);
    this.skipping = setTimeout(() => { this.skip = false; }, 400);
    this.rove(drag.i, true);
    this.toggle(drag.i);
  }

  click(event) {
    const node = event.target.closest("[data-i]");
    if (!node) return;
    if (this.skip) {
      this.skip = false;
      return;
    }
    const i = Number(node.dataset.i);
    this.rove(i, true);
    this.toggle(i);
  }

  context(event) {
    const node = event.target.closest("[data-i]");
    if (!node) return;
    event.preventDefault();
    clearTimeout(this.holding);
    this.skip = event.pointerType === "touch";
    this.showGroup(Number(node.dataset.i));
  }

  showGroup(i) {
    const codes = this.columns ? [...new Set(this.columns.columns[i].cards.map((card) => card.code))] : [this.laid[i].code];
    this.group = { codes: codes.join(""), name: codes.map((code) => this.rankName(code)).join(", ") };
    this.renderPick();
  }

  rankName(code) {
    const cell = this.data.counter.cells.find((c) => c.code === code);
    if (cell) return cell.name;
    const card = this.data.hand.find((c) => c.code === code);
    return card ? card.name : glyph(code);
  }

  // ---- keyboard

  rove(i, focus) {
    const nodes = this.spots();
    if (!nodes.length) return;
    this.at = clamp(0, i, nodes.length - 1);
    nodes.forEach((node, k) => { node.tabIndex = k === this.at ? 0 : -1; });
    if (focus) nodes[this.at].focus({ preventScroll: true });
  }

  spots() {
    return [...this.box.hand.querySelectorAll("[data-i]")];
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    const typing = target.matches("input, select, textarea");
    const onCard = target.dataset && target.dataset.i !== undefined;
    const stop = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (onCard) {
      const i = Number(target.dataset.i);
      if (event.key === "ArrowRight") return stop(), this.rove(i + 1, true);
      if (event.key === "ArrowLeft") return stop(), this.rove(i - 1, true);
      if (event.key === "Home") return stop(), this.rove(0, true);
      if (event.key === "End") return stop(), this.rove(999, true);
      if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        stop();
        const up = event.key === "ArrowUp";
        if (this.columns) this.cycle(this.columns.columns[i], up ? 1 : -1);
        else if (this.selected.has(this.laid[i].id) !== up) this.toggle(i);
        return;
      }
      if (event.key === " ") return stop(), event.repeat || this.toggle(i);
      if (event.key === "Enter") {
        stop();
        if (event.repeat) return;
        if (event.shiftKey) this.showGroup(i);
        else if (this.data.phase.kind === "play") this.play();
        return;
      }
      if (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10")) return stop(), this.showGroup(i);
    }
    if (typing || event.repeat) return;
    if (event.key === "Escape" && (this.selected.size || this.group)) return stop(), this.clear();
    const letter = event.key.toLowerCase();
    if (letter === "p" && this.data.phase.kind === "play") return stop(), this.pass();
    if (letter === "h" && this.data.phase.hint) return stop(), this.hint();
  }

  // ---- drawing

  slot(name, parts, build) {
    // Rebuild one part of the table only when what it shows has changed; focus stays where it was.
    const key = JSON.stringify(parts);
    if (this.keys[name] === key) return;
    this.keys[name] = key;
    const box = this.box[name];
    const active = this.root.getRootNode().activeElement;
    const held = active && box.contains(active) ? active.dataset.f || "" : null;
    const built = build();
    box.replaceChildren(...[built].flat().filter(Boolean));
    if (held !== null) {
      const again = [...box.querySelectorAll("[data-f]")].find((node) => node.dataset.f === held);
      if (again) again.focus({ preventScroll: true });
      else this.refocus();
    }
  }

  refocus() {
    const spots = this.spots();
    if (spots.length) this.rove(this.at, true);
    else {
      const button = this.box.bar.querySelector("button");
      if (button) button.focus({ preventScroll: true });
    }
  }

  render() {
    const { data, box, root } = this;
    const words = data.words;
    this.width = Math.round(root.clientWidth) || 1120;
    this.layout = this.width >= 960 ? "desktop" : this.width < 640 ? "phone" : "mid";
    root.dataset.theme = data.theme;
    root.dataset.layout = this.layout;
    root.lang = data.lang;
    this.compact = this.layout === "phone" || (this.layout === "mid" && data.seats.length > 2);
    this.inner = this.width - (this.layout === "phone" ? 8 : 48);
    box.mat.setAttribute("role", "region");
    box.mat.setAttribute("aria-label", words.table);
    const phone = this.layout === "phone";
    const lang = [data.lang, this.layout, words];

    this.slot("summary", [data.summary, words.summary], () => [h("h2", {}, words.summary), data.summary.map((line) => h("p", {}, line))].flat());
    this.slot("tline", [data.sum, data.switches, data.seed, phone && data.bottom, lang], () => this.topLine());
    this.slot("arena", [data.seats, data.bottom, data.to_beat, data.me.said, data.me.id, data.history, this.width, lang], () => this.arena());
    if (this.layout === "desktop" && this.box.scroll) this.box.scroll.scrollTop = this.box.scroll.scrollHeight;
    this.renderCounter();
    this.renderHand();
    this.renderMe();
    this.renderBar();
    this.slot("messages", data.messages, () => data.messages.map((m) => h("div", { class: `msg ${m.tone}` }, m.text)));
    this.renderPick();
    this.slot("result", [data.result, lang], () => data.result && this.result(data.result));
    this.slot("replay", [data.replay, lang], () => data.replay && this.replay(data.replay));
    this.slot("guide", data.guide, () => data.guide && this.panel(data.guide.title, data.guide.step, data.guide.text, data.guide.buttons, "guide"));
    this.renderLadder();
    this.slot("below", [phone && data.switches, phone && data.seed, this.layout !== "desktop" && data.history, this.padOpen, lang], () => this.below());
    for (const name of ["messages", "pick", "result", "replay", "guide", "ladder"]) box[name].hidden = !box[name].childNodes.length;
    box.help.hidden = [...box.help.children].every((node) => node.hidden);
    box.below.hidden = !box.below.childNodes.length;
    this.announce();
  }

  announce() {
    const { log, words } = this.data;
    this.box.log.setAttribute("aria-label", words.log);
    const first = this.heard < 0;
    const fresh = log.filter((line) => line.n > this.heard);
    if (log.length) this.heard = Math.max(this.heard, ...log.map((line) => line.n));
    for (const line of first ? fresh.slice(-3) : fresh) this.box.log.append(h("p", {}, line.text));
    while (this.box.log.childNodes.length > 30) this.box.log.firstChild.remove();
  }

  button(button, extra = "btn", name = "") {
    return h("button", {
      type: "button",
      class: `${extra} ${button.primary ? "primary" : ""}`,
      "aria-disabled": button.disabled ? "true" : null,
      "data-f": `${name}:${button.kind}:${button.value ?? ""}`,
      onclick: () => this.press(button),
    }, LINES[button.kind] && lined(button.kind, 14), h("span", {}, button.label), button.note && h("small", {}, button.note));
  }

  topLine() {
    const { data } = this;
    const phone = this.layout === "phone";
    const sum = h("div", { class: "ledger" });
    data.sum.terms.forEach((term, i) => {
      if (i) sum.append(h("span", { class: "op" }, "×"));
      sum.append(h("span", { class: "it", title: term.why || null }, phone ? term.short || term.text : term.text));
    });
    if (data.sum.result) sum.append(h("span", { class: "op" }, "="), h("span", { class: "tot num" }, data.sum.result));
    if (!phone) return [sum, h("span", { class: "sp" }), this.switches(), data.seed && h("span", { class: "seed" }, data.seed)];
    const bottom = data.bottom;
    return [sum, h("span", { class: "sp" }), bottom && h("span", { class: "bottom" },
      bottom.cards.length < 6 && bottom.cards.length > 0 ? h("span", { class: "set" }, bottom.cards.map((card) => (card ? mini(card) : back(data.words, 24)))) : null,
      bottom.cards.length === 0 || bottom.cards.length >= 6 || !bottom.cards[0] ? h("span", {}, bottom.text) : null)];
  }

  switches() {
    const { data } = this;
    return h("div", { class: "switches", role: "group", "aria-label": data.words.settings }, data.switches.map((item) => {
      if (!item.options) {
        return h("button", { type: "button", class: "toggle", role: "switch", "aria-checked": String(Boolean(item.value)), "data-f": `switch:${item.key}`, onclick: () => this.act("switch", { key: item.key, value: !item.value }) }, h("i", {}), item.label);
      }
      const select = h("select", { "data-f": `switch:${item.key}`, onchange: (event) => this.act("switch", { key: item.key, value: event.target.value }) },
        item.options.map((option) => h("option", { value: option.value, selected: option.value === item.value }, option.label)));
      return h("label", { class: "pick" }, item.label, select);
    }));
  }

  plate(seat, size, side) {
    const brief = seat === this.data.me ? this.layout === "phone" : this.compact;
    const label = brief ? seat.short || seat.label : seat.label;
    return h("div", { class: `plate ${side || ""}` }, hat(seat.role, size),
      h("div", {},
        h("div", { class: "nm" }, seat.role === "before" && solid("left"), h("span", {}, unarrowed(label)), seat.role === "after" && solid("right"), seat.to_act && seat !== this.data.me && h("i", { class: "turndot" })),
        brief
          ? h("div", { class: "left-n" }, h("b", {}, seat.left), h("span", { class: this.data.seats.length > 2 && seat !== this.data.me ? "sr" : "" }, say(this.data.words, "cards_left", { n: seat.left })))
          : h("div", { class: "sub" }, seat.note),
        seat !== this.data.me && seat.alarm && h("span", { class: "alarmtag" }, seat.alarm)));
  }

  opponent(seat, side) {
    return h("div", { class: `opp ${side} ${seat.alarm ? "alarm" : ""}` }, this.plate(seat, 46),
      h("span", { class: "cnt", role: "img", "aria-label": `${seat.left} ${say(this.data.words, "cards_left", { n: seat.left })}` }, h("b", {}, seat.left)));
  }

  fresh(seat, node) {
    // A last action that was not there before comes in with a short movement.
    const sign = JSON.stringify(seat.said);
    const seen = (this.lastSaid ||= {});
    if (seen[seat.id] !== sign) node.classList.add("arrive");
    seen[seat.id] = sign;
    return node;
  }

  spoken(seat, room, widest = 72) {
    const { data, compact: phone } = this;
    const beat = data.to_beat;
    if (beat && beat.seat === seat.id) {
      const frame = phone ? 30 : 38;
      const cards = lane(data.words, beat.main, beat.kickers, room - frame, phone ? 50 : widest, 50);
      return this.fresh(seat, h("div", { class: "beat" }, h("span", { class: "tag" }, beat.tab), cards));
    }
    const said = seat.said;
    if (!said) return null;
    if (!phone && said.main.length + said.kickers.length) return this.fresh(seat, h("div", { title: said.name || said.text }, lane(data.words, said.main, said.kickers, room, 52, 50)));
    return this.fresh(seat, h("span", { class: "said word" }, said.text));
  }

  bottomCards() {
    const { data } = this;
    const bottom = data.bottom;
    if (!bottom) return [];
    return [
      bottom.cards.length > 0 && h("div", { class: "bottom" }, h("span", { class: "set" }, bottom.cards.map((card) => {
        if (!card) return back(data.words, 46);
        const node = face(data.words, card, { role: "img", "aria-label": card.name });
        node.style.setProperty("--w", "46px");
        return node;
      }))),
      bottom.text && h("div", { class: "cap3" }, bottom.text),
    ];
  }

  arena() {
    return this.compact ? this.arenaCompact() : this.arenaWide();
  }

  arenaWide() {
    const { data, layout, box } = this;
    const k = data.seats.length, few = k <= 2;
    const pad = layout === "desktop" && data.history ? this.pad(data.history) : null;
    const side = pad ? 272 : 0;
    const middle = 206 + 52 * Math.max(0, (data.bottom ? data.bottom.cards.length : 0) - 3);
    const room = few ? (this.inner - side - middle) / 2 : (this.inner - side) / k - 16;
    box.arena.className = few ? "arena" : "arena many";
    box.arena.style.gridTemplateColumns = (few ? "minmax(0,1fr) auto minmax(0,1fr)" : `repeat(${k}, minmax(0,1fr))`) + (pad ? " 256px" : "");
    const zone = (seat, right) => h("div", { class: `zone ${right ? "r" : ""}` }, this.opponent(seat, right ? "r" : ""),
      seat.hand && !seat.said ? null : h("div", { class: "spot" }, this.spoken(seat, room)), seat.hand && strip(data.words, seat));
    const mine = this.beatIsMine() || (data.me.said && data.me.said.main.length) ? h("div", { class: "spot" }, this.spoken(data.me, few ? Math.max(room, 300) : this.inner - side - 300, 52)) : null;
    if (few) {
      return [zone(data.seats[0], false), h("div", { class: "zone mid" }, this.bottomCards(), mine), k > 1 ? zone(data.seats[1], true) : h("span", {}), pad];
    }
    const row = h("div", { class: "bottomrow" }, this.bottomCards(), mine);
    if (pad) {
      pad.style.gridRow = "1 / span 2";
      pad.style.gridColumn = String(k + 1);
      row.style.gridColumn = `1 / span ${k}`;
    }
    return [...data.seats.map((seat, i) => zone(seat, i === k - 1)), pad, row];
  }

  beatIsMine() {
    return this.data.to_beat && this.data.to_beat.seat === this.data.me.id;
  }

  arenaCompact() {
    const { data, box } = this;
    const k = data.seats.length, room = this.inner - 16;
    box.arena.className = "";
    box.arena.style.gridTemplateColumns = "";
    const seats = h("div", { class: "seats" }, data.seats.map((seat, i) => {
      const plate = this.plate(seat, k > 2 ? 30 : 36, `${k > 2 ? "small" : ""} ${k > 3 ? "tight" : k > 1 && i === k - 1 ? "r" : ""}`);
      return h("div", { class: seat.alarm ? "alarm" : "" }, plate, k > 2 && !(data.to_beat && data.to_beat.seat === seat.id) && this.spoken(seat, room));
    }));
    seats.style.gridTemplateColumns = `repeat(${k}, minmax(0,1fr))`;
    const acts = h("div", { class: `acts ${data.to_beat || k <= 2 ? "" : "quietrow"}` });
    const owner = data.to_beat && data.to_beat.seat;
    for (const seat of k <= 2 ? data.seats : data.seats.filter((s) => s.id === owner)) acts.append(this.spoken(seat, room) || h("span", {}));
    if (this.beatIsMine()) acts.insertBefore(this.spoken(data.me, room), acts.children[Math.floor(acts.children.length / 2 + 0.5)] || null);
    const open = data.seats.filter((seat) => seat.hand).map((seat) => h("div", { class: "openrow" }, hat(seat.role, 24), strip(data.words, seat)));
    const bottom = this.layout === "phone" ? null : h("div", { class: "bottomrow" }, this.bottomCards());
    return [seats, bottom, acts, ...open];
  }

  pad(history) {
    const { words } = this.data;
    const tight = history.columns.length > 3;
    const head = h("tr", {}, h("th", {}, h("span", { class: "sr" }, "#")), history.columns.map((column) => h("th", { scope: "col" }, h("span", { title: tight ? column.label : null }, hat(column.role, 20), h("span", { class: tight ? "sr" : "lb" }, unarrowed(column.label))))));
    const rows = history.rows.map((row, r) => h("tr", {}, h("td", { class: "no" }, row.no), row.cells.map((cell, c) => {
      const text = [cell.text, cell.note ? h("small", {}, ` ${cell.note}`) : null];
      const inside = cell.at === null || cell.at === undefined ? h("span", {}, text) : h("button", { type: "button", "data-f": `history:${r}:${c}`, onclick: () => this.act("jump", { at: cell.at }) }, text);
      const node = h("td", { class: `${cell.kind} ${cell.win ? "win" : ""}` }, cell.text ? inside : null);
      if (c === 0 && row.depth) node.style.paddingLeft = `${8 * row.depth}px`;
      return node;
    })));
    this.box.scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": history.title || words.history }, h("table", {}, head, rows));
    return h("div", { class: "pad" }, h("div", { class: "cap" }, history.title, h("span", {}, history.caption)), this.box.scroll,
      history.tools.length > 0 && h("div", { class: "foot" }, history.tools.map((tool) => this.button(tool, "", "pad"))));
  }

  below() {
    const { data, layout } = this;
    const parts = [];
    if (layout === "mid" && data.history) parts.push(this.pad(data.history));
    if (layout === "phone") {
      if (data.history && this.padOpen) parts.push(this.pad(data.history));
      if (data.switches.length || data.seed) {
        const row = this.switches();
        if (data.seed) row.append(h("span", { class: "seed" }, data.seed));
        parts.push(row);
      }
    }
    return parts;
  }

  // ---- counter

  ownCounts() {
    if (this.own) return this.own;
    this.own = {};
    try {
      const kept = JSON.parse(readStore(COUNTER_STORE).text || "null");
      if (kept && kept.game === this.data.game && kept.values && typeof kept.values === "object") {
        for (const [code, n] of Object.entries(kept.values)) if (Number.isInteger(n) && n >= 0 && n < 100) this.own[code] = n;
      }
    } catch {
      this.own = {};
    }
    return this.own;
  }

  setOwn(cell, n) {
    const own = this.ownCounts();
    if (n === null) delete own[cell.code];
    else own[cell.code] = clamp(0, n, cell.copies);
    writeStore(COUNTER_STORE, JSON.stringify({ game: this.data.game, values: own }));
    this.renderCounter();
  }

  renderCounter() {
    const { data } = this;
    const { counter, words } = data;
    const self = counter.level === "self";
    const phone = this.layout === "phone";
    this.slot("counter", [counter, self && this.ownCounts(), phone && Boolean(data.history), this.padOpen, this.layout, words], () => {
      const own = self ? this.ownCounts() : {};
      const history = phone && data.history ? h("button", { type: "button", class: "quiet", "aria-expanded": String(Boolean(this.padOpen)), "data-f": "padopen", onclick: () => this.togglePad() }, words.history, solid("right", 9)) : null;
      const check = self && counter.check ? h("button", { type: "button", class: "quiet", "data-f": "check", onclick: () => this.act("counter", { values: { ...this.ownCounts() } }) }, counter.check) : null;
      const title = counter.level === "off" ? "" : self ? words.counter_self : counter.total;
      const lab = h("div", { class: "lab" }, h("b", {}, title), check, history);
      if (counter.level === "off") return history ? [lab] : [];
      const cells = counter.cells.map((cell) => {
        const n = self ? own[cell.code] : cell.count;
        const known = n !== undefined && n !== null;
        const label = known ? say(words, "counter_cell", { name: cell.name, n }) : say(words, "counter_cell_empty", { name: cell.name });
        const top = isJoker(cell.code) && cell.label.length > 2 ? star(cell.code === "D") : cell.label;
        const inside = [h("span", { class: "rk", "aria-hidden": "true" }, top), h("span", { class: "ct", "aria-hidden": "true" }, known ? n : "·")];
        const kind = `${known && n === 0 ? "z" : ""} ${!self && cell.all_out ? "four" : ""}`;
        if (!self) return h("div", { class: kind, role: "img", "aria-label": label }, inside);
        return h("button", { type: "button", class: kind, "aria-label": label, "data-f": `cell:${cell.code}`,
          onclick: () => this.setOwn(cell, !known ? cell.copies : n === 0 ? null : n - 1),
          onkeydown: (event) => {
            if (/^[0-9]$/.test(event.key)) this.setOwn(cell, Number(event.key));
            else if (event.key === "ArrowUp") this.setOwn(cell, known ? n + 1 : 0);
            else if (event.key === "ArrowDown") this.setOwn(cell, known ? n - 1 : cell.copies);
            else if (event.key === "Backspace" || event.key === "Delete") this.setOwn(cell, null);
            else return;
            event.preventDefault();
            event.stopPropagation();
          } }, inside);
      });
      return [lab, h("div", { class: "cells", role: "group", "aria-label": words.counter }, cells)];
    });
    this.box.counter.hidden = !this.box.counter.childNodes.length;
  }

  togglePad() {
    this.padOpen = !this.padOpen;
    this.render();
    const pad = this.box.below.querySelector(".pad");
    if (this.padOpen && pad) pad.scrollIntoView({ block: "nearest" });
  }

  // ---- me, hand, buttons

  renderMe() {
    const { data } = this;
    const { me, phase, words } = data;
    const phone = this.layout === "phone";
    const groups = !phone && !this.columns && data.groups && data.groups.length > 0;
    this.slot("me", [me, phase.turn, phase.mine, this.selected.size, groups, this.order, this.beatIsMine(), this.layout, words], () => {
      const plate = this.plate(me, phone ? 30 : 40);
      if (phone) plate.querySelector(".left-n").remove();
      else plate.querySelector(".sub").hidden = !me.note;
      const pill = phase.turn ? h("span", { class: `turn ${phase.mine ? "mine" : ""}` }, phase.turn) : null;
      const word = me.said && !me.said.main.length && !this.beatIsMine() ? this.fresh(me, h("span", { class: "said word" }, me.said.text)) : null;
      const right = h("span", { class: "mine-r" },
        this.selected.size > 0 && [!phone && h("span", {}, say(words, "selected_n", { n: this.selected.size })), h("button", { type: "button", class: "quiet", "data-f": "clear", onclick: () => this.clear() }, words.clear)],
        groups && h("button", { type: "button", class: "quiet", "data-f": "order", onclick: () => this.reorder() }, this.order === "rank" ? words.sort_rank : words.sort_groups));
      return [plate, h("span", { class: "left-n" }, h("b", {}, me.left), h("span", { class: phone && this.selected.size ? "sr" : "" }, say(words, "cards_left", { n: me.left }))),
        !phone && me.alarm && h("span", { class: "alarmtag" }, me.alarm), word,
        pill && !phone && h("span", { class: "turnw" }, pill), h("span", { class: "sp" }), right, phone && pill];
    });
  }

  reorder() {
    this.order = this.order === "rank" ? "groups" : "rank";
    this.render();
  }

  layHand() {
    const { hand, groups } = this.data;
    if (this.order === "groups" && groups && groups.length) {
      const byId = new Map(hand.map((card) => [card.id, card]));
      const laid = [], keys = [], used = new Set();
      groups.forEach((ids, g) => ids.forEach((id) => {
        const card = byId.get(id);
        if (!card || used.has(id)) return;
        used.add(id);
        laid.push(card);
        keys.push(`${g}`);
      }));
      for (const card of hand) {
        if (used.has(card.id)) continue;
        laid.push(card);
        keys.push(card.code);
      }
      return { laid, keys };
    }
    return { laid: hand, keys: hand.map((card) => card.code) };
  }

  renderHand() {
    const { data, box } = this;
    const { words } = data;
    const W = this.inner, phone = this.layout === "phone";
    box.hand.setAttribute("aria-label", words.hand);
    box.hand.setAttribute("aria-description", words.hand_help);
    box.hand.classList.toggle("live", data.phase.mine);
    const { laid, keys } = this.layHand();
    const fan = fanGeometry(keys, W);
    const columns = W < 520 || !fan.legible;
    this.laid = laid;
    this.fan = fan;
    this.columns = columns ? columnGeometry(data.hand, W, phone) : null;
    this.normalise();
    this.slot("hand", [laid, keys, W, columns, this.layout, words], () => (columns ? this.drawColumns() : this.drawFan()));
    if (!columns) {
      const top = 0.17 * fan.w + 4;
      box.hand.style.setProperty("--top", `${top}px`);
      box.hand.style.height = `${1.4 * fan.w + top}px`;
      box.hand.style.marginTop = "4px";
    } else {
      const foot = data.hand.length > 24 ? 22 : 0;
      this.tallest = Math.max(this.tallest, this.columns.height + this.columns.rise + 24 + foot);
      box.hand.style.setProperty("--foot", `${foot}px`);
      box.hand.style.height = `${this.tallest}px`;
      box.hand.style.marginTop = "2px";
    }
    this.rove(this.at, false);
    this.drawSelection();
  }

  drawFan() {
    const { laid, fan, data } = this;
    return laid.map((card, i) => {
      const node = face(data.words, card, { "data-i": i, "data-f": `card:${i}`, role: "checkbox", "aria-checked": "false", tabindex: -1, "aria-label": card.mark ? `${card.name}, ${card.mark}` : card.name });
      node.style.setProperty("--w", `${fan.w}px`);
      node.style.left = `${fan.xs[i]}px`;
      return node;
    });
  }

  drawColumns() {
    const { data, columns: G } = this;
    const { words } = data;
    return G.columns.map((column, i) => {
      const n = column.cards.length;
      const node = h("span", { class: "colm", "data-i": i, "data-f": `card:${i}`, role: "checkbox", "aria-checked": "false", tabindex: -1,
        vars: { "--cw": `${G.cw}px`, "--f": `${G.f}px`, "--hb": `${G.base}px`, "--st": `${G.strip}px`, "--rise": `${G.rise}px` } });
      node.style.left = `${column.x}px`;
      column.cards.forEach((card, k) => {
        const j = n - 1 - k; // how far behind the front card
        const shown = j === 0 || k === 0 || G.strip >= 16;
        const joker = isJoker(card.rank), big = card.rank === "D";
        const label = big ? words.joker_big_short || words.joker_big : words.joker_small_short || words.joker_small;
        node.append(h("span", { class: `cc ${ink(card)} ${j === 0 ? "front" : ""}`, "aria-hidden": "true", vars: { "--j": j } },
          shown && h("span", { class: `g ${card.rank === "T" ? "ten" : ""}` }, joker ? star(big) : glyph(card.rank)),
          j === 0 && joker && h("span", { class: `jt ${isLatin(label) ? "lat" : ""}` }, label),
          j === 0 && !joker && PATHS[card.suit] && h("span", { class: "su" }, solid(card.suit)),
          card.mark && h("span", { class: "mkdot", title: card.mark })));
      });
      node.append(h("span", { class: "n", hidden: true, "aria-hidden": "true" }));
      if (data.hand.length > 24) node.append(h("span", { class: "tot", "aria-hidden": "true" }, G.cw < 34 ? n : `×${n}`));
      return node;
    });
  }

  drawSelection() {
    const { data, box } = this;
    const state = this.judge();
    const rungs = data.ladder ? data.ladder.rungs : [];
    const suggest = new Set(rungs.flatMap((rung) => (rung.open && rung.suggest) || []));
    const surplus = this.surplus(state);
    const off = !data.phase.mine && data.phase.kind !== "over";
    const mark = (node, card) => {
      const on = this.selected.has(card.id);
      node.classList.toggle("sel", on);
      node.classList.toggle("sug", suggest.has(card.id) && !on);
      node.classList.toggle("surplus", on && surplus.has(card.id));
      node.classList.toggle("off", off);
      return on;
    };
    this.spots().forEach((node, i) => {
      if (!this.columns) {
        node.setAttribute("aria-checked", String(mark(node, this.laid[i])));
        return;
      }
      const G = this.columns, column = G.columns[i], n = column.cards.length;
      const parts = node.querySelectorAll(".cc");
      let k = 0;
      column.cards.forEach((card, c) => { k += mark(parts[c], card); });
      // As with the selection, the rear copies are the suggested ones.
      let rings = column.cards.filter((card) => suggest.has(card.id)).length;
      if (column.code !== "XD") {
        column.cards.forEach((card, c) => parts[c].classList.toggle("sug", rings-- > 0 && !this.selected.has(card.id)));
      }
      node.setAttribute("aria-checked", k === 0 ? "false" : k === n ? "true" : "mixed");
      const name = column.code === "XD" ? "XD".split("").map((code) => this.rankName(code)).join(", ") : this.rankName(column.code);
      const marks = column.cards.map((card) => card.mark).filter(Boolean);
      node.setAttribute("aria-label", say(data.words, "column_name", { name, n, k }) + (marks.length ? `, ${marks.join(", ")}` : ""));
      const count = node.querySelector(".n");
      count.hidden = k === 0;
      count.textContent = n > 1 && G.cw > 34 ? `${k}/${n}` : `${k}`;
      count.style.bottom = `${(n - 1) * G.strip + G.base + G.rise + 3}px`;
    });
    box.hand.dataset.selected = String(this.selected.size);
    this.remember();
  }

  surplus(state) {
    // Cards of the selection that the nearest legal play does not use.
    const out = new Set();
    if (!state || state.mode !== "no" || !state.seen.nearest) return out;
    const spare = state.seen.wanted.map((x, i) => Math.max(0, x - state.seen.nearest.counts[i]));
    for (const card of this.chosen().reverse()) {
      const lane_ = LANES.indexOf(card.code);
      if (spare[lane_] > 0) {
        spare[lane_] -= 1;
        out.add(card.id);
      }
    }
    return out;
  }

  judge() {
    // What the selection is worth now: what Play says and whether it works.
    const { data } = this;
    const { phase, words } = data;
    const cards = this.chosen(), n = cards.length;
    const phone = this.layout === "phone";
    if (phase.kind !== "play" || !phase.mine) {
      this.state = { mode: "idle", can: false, title: words.play, text: n ? say(words, "selected_n", { n }) : words.waiting };
      return this.state;
    }
    if (!n) {
      this.state = { mode: "idle", can: false, title: words.play, text: words.select_cards };
      return this.state;
    }
    const seen = recognise(phase, cards.map((card) => card.code));
    if (seen.ok) {
      const row = seen.rows[Math.min(this.reading, seen.rows.length - 1)];
      const key = data.to_beat ? (phone ? "play_beats_short" : "play_beats") : "play_lead";
      this.state = { mode: "ready", can: true, seen, row, title: words.play, text: say(words, key, { name: phase.names[row[2]], cards: comboText(words, row) }) };
    } else if (!seen.rows.length && phase.complete === false) {
      this.state = { mode: "ready", can: true, seen, row: null, title: words.play, text: say(words, "play_unknown", { n }) };
    } else {
      const status = seen.rows.length ? seen.rows[0][3] : "none";
      const why = phase.reasons[status] || phase.reasons.none || "";
      const text = seen.nearest ? say(words, "play_nearest", { why, cards: comboText(words, seen.nearest) }) : why;
      this.state = { mode: "no", can: false, seen, title: words.not_yet, text };
    }
    return this.state;
  }

  renderBar() {
    const { data, box } = this;
    const { phase, words } = data;
    const state = this.judge();
    const choices = phase.kind === "choice" || (phase.kind === "over" && phase.buttons.length > 0);
    box.bar.classList.toggle("choices", choices);
    if (choices) {
      this.slot("bar", ["choice", phase.buttons, phase.hint && phase.kind, Boolean(data.ladder), words], () => {
        box.play = null;
        const hint = phase.hint ? h("button", { type: "button", class: `act ${data.ladder ? "on" : ""}`, "data-f": "hint", onclick: () => this.hint() }, words.hint, h("kbd", {}, "H")) : null;
        return [phase.buttons.map((button, i) => h("button", { type: "button", class: `act choice ${button.primary ? "primary" : ""}`, "data-f": `choice:${i}`, "aria-disabled": button.disabled ? "true" : null, onclick: () => this.press(button) },
          h("span", {}, button.label), button.note && h("span", { class: "d" }, button.note))), hint].flat();
      });
    } else {
      this.slot("bar", ["play", words], () => {
        box.pass = h("button", { type: "button", class: "act pass", "data-f": "pass", onclick: () => this.pass() }, h("span", {}, words.pass), h("kbd", { "aria-hidden": "true" }, "P"));
        box.hint = h("button", { type: "button", class: "act", "data-f": "hint", onclick: () => this.hint() }, h("span", {}, words.hint), h("kbd", { "aria-hidden": "true" }, "H"));
        box.go = h("span", { class: "go" });
        box.why = h("span", { class: "d" });
        box.play = h("button", { type: "button", class: "act play", "data-f": "play", onclick: () => this.play() }, h("span", {}, box.go, " ", box.why), h("kbd", { "aria-hidden": "true" }, "\u21b5"));
        return [box.pass, box.hint, box.play];
      });
      const flag = (node, name, on) => (on ? node.setAttribute(name, "true") : node.removeAttribute(name));
      flag(box.pass, "aria-disabled", !(phase.kind === "play" && phase.mine && phase.can_pass));
      box.pass.title = phase.mine && !phase.can_pass ? phase.reasons.pass || "" : "";
      flag(box.hint, "aria-disabled", !phase.hint);
      box.hint.classList.toggle("on", Boolean(data.ladder) && phase.hint);
      for (const mode of ["ready", "no", "idle"]) box.play.classList.toggle(mode, state.mode === mode);
      flag(box.play, "aria-disabled", !state.can);
      if (box.go.textContent !== state.title) box.go.textContent = state.title;
      if (box.why.textContent !== state.text) box.why.textContent = state.text;
    }
    this.showBusy();
  }

  showBusy() {
    const busy = this.locked();
    if (busy) this.box.bar.dataset.busy = "";
    else delete this.box.bar.dataset.busy;
    clearTimeout(this.unlocking);
    if (busy) this.unlocking = setTimeout(() => this.showBusy(), LOCK_MS + 50);
  }

  renderPick() {
    // Below the buttons: the readings of the selection, and all plays with one rank.
    const { data } = this;
    const { phase, words } = data;
    const state = this.state || this.judge();
    const readings = state.mode === "ready" && state.seen.rows.length > 1 ? state.seen.rows : null;
    this.slot("pick", [readings && readings.map((row) => row.slice(0, 6)), this.reading, this.group, data.number, [...this.selected], words], () => {
      const parts = [];
      if (readings) {
        parts.push(h("div", { class: "panel", role: "group", "aria-label": words.reading }, h("div", { class: "top" }, h("h3", {}, words.reading)),
          h("div", { class: "btns" }, readings.map((row, i) => h("button", { type: "button", class: "btn", "aria-pressed": String(i === this.reading), "data-f": `reading:${i}`,
            onclick: () => { this.reading = i; this.renderBar(); this.renderPick(); } }, phase.names[row[2]], h("small", {}, comboText(words, row)))))));
      }
      if (this.group) {
        const found = phase.plays.filter((row) => row[3] === "ok" && [...this.group.codes].some((code) => (row[0] + row[1]).includes(code)));
        const close = h("button", { type: "button", class: "quiet", "data-f": "close", onclick: () => { this.group = null; this.renderPick(); this.refocus(); } }, words.close);
        parts.push(h("div", { class: "panel group" }, h("div", { class: "top" }, h("h3", {}, say(words, found.length ? "group_title" : "group_none", { name: this.group.name })), close),
          h("div", { class: "btns" }, found.slice(0, 60).map((row, i) => h("button", { type: "button", class: "btn", "data-f": `group:${i}`, onclick: () => { this.take(row[0] + row[1]); } }, phase.names[row[2]], h("small", {}, comboText(words, row)))))));
      }
      return parts;
    });
    this.box.pick.hidden = !this.box.pick.childNodes.length;
    this.box.help.hidden = [...this.box.help.children].every((node) => node.hidden);
  }

  // ---- panels below

  panel(title, step, text, buttons, name) {
    return h("section", { class: `panel ${name}` }, h("div", { class: "top" }, h("h3", {}, title), step && h("span", {}, step)), text.map((line) => h("p", {}, line)),
      buttons && buttons.length > 0 && h("div", { class: "btns" }, buttons.map((button) => this.button(button, "btn", name))));
  }

  rung(rung, i, headed) {
    const table = rung.open && rung.table;
    return h("div", { class: `rung ${rung.open ? "" : "shut"}` },
      headed && h("div", { class: "h" }, h("i", { "aria-hidden": "true" }, i + 1), h("h3", {}, rung.title)),
      rung.open && rung.lead && h("p", {}, h("b", {}, rung.lead)),
      rung.open && rung.lines && (rung.lead || rung.lines.length === 1 ? rung.lines.map((line) => h("p", {}, line)) : h("ul", {}, rung.lines.map((line) => h("li", {}, line)))),
      table && h("table", {}, h("tr", {}, table.head.map((text) => h("th", { scope: "col" }, text))),
        table.rows.map((row, r) => h("tr", {}, row.cells.map((text, c) => h("td", {}, c === 0 && row.cards ? h("button", { type: "button", "data-f": `row:${i}:${r}`, onclick: () => this.take(row.cards) }, text) : text))))),
      !rung.open && rung.note && h("p", { class: "note" }, rung.note),
      !rung.open && rung.button && h("button", { type: "button", class: "btn", "data-f": `rung:${i}`, onclick: () => this.act("rung", { value: i }) }, rung.button));
  }

  renderLadder() {
    const { data } = this;
    const { ladder, words } = data;
    const phone = this.layout === "phone";
    const tab = ladder ? clamp(0, this.tab ?? ladder.at, ladder.rungs.length - 1) : 0;
    this.slot("ladder", [ladder, phone, phone && tab, words], () => {
      if (!ladder) return [];
      if (!phone) return h("section", { class: "ladder", "aria-label": words.ladder }, ladder.rungs.map((rung, i) => this.rung(rung, i, true)));
      const show = (i) => { this.tab = i; this.renderLadder(); };
      const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": words.ladder }, ladder.rungs.map((rung, i) => h("button", {
        type: "button", role: "tab", class: rung.open ? "" : "shut", "aria-selected": String(i === tab), tabindex: i === tab ? 0 : -1, "data-f": `tab:${i}`, onclick: () => show(i),
        onkeydown: (event) => {
          const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
          if (!by) return;
          event.preventDefault();
          const to = (i + by + ladder.rungs.length) % ladder.rungs.length;
          show(to);
          const node = [...this.box.ladder.querySelectorAll("[role=tab]")][to];
          if (node) node.focus();
        } }, `${i + 1} ${rung.short}`)));
      const body = this.rung(ladder.rungs[tab], tab, false);
      body.setAttribute("role", "tabpanel");
      body.setAttribute("aria-label", ladder.rungs[tab].title);
      return h("section", { class: "sheet" }, tabs, body);
    });
    this.box.ladder.hidden = !this.box.ladder.childNodes.length;
  }

  result(result) {
    const sign = { good: "up", bad: "down" };
    return h("section", { class: "panel result" }, h("div", { class: "top" }, h("h3", {}, result.title)),
      (result.lines || []).map((line) => h("p", {}, line)),
      h("div", { class: "cols2" },
        h("table", {}, result.steps.map((step) => h("tr", {}, h("td", {}, step.label), h("td", {}, step.value)))),
        h("table", {}, result.points.map((p) => h("tr", {}, h("td", {}, h("span", { class: "who" }, hat(p.role, 26), p.label)), h("td", { class: p.verdict }, sign[p.verdict] && solid(sign[p.verdict]), p.text))))),
      result.buttons.length > 0 && h("div", { class: "btns" }, result.buttons.map((button) => this.button(button, "btn", "result"))));
  }

  replay(replay) {
    const { words } = this.data;
    const go = (at) => this.act("jump", { at: clamp(0, at, replay.last) });
    const step = (name, at, off) => h("button", { type: "button", class: "btn", "aria-label": words[name], title: words[name], "aria-disabled": off ? "true" : null, "data-f": `replay:${name}`, onclick: () => off || go(at) }, lined(name, 16));
    const label = say(words, "position", { n: replay.at, last: replay.last });
    const slider = h("input", { type: "range", min: 0, max: replay.last, value: replay.at, "aria-label": words.replay, "aria-valuetext": label, "data-f": "replay:slider", onchange: (event) => go(Number(event.target.value)) });
    return h("section", { class: "panel replay", "aria-label": words.replay }, step("first", 0, replay.at <= 0), step("previous", replay.at - 1, replay.at <= 0), slider,
      step("next", replay.at + 1, replay.at >= replay.last), step("last", replay.last, replay.at >= replay.last), h("span", { class: "txt num" }, replay.text || label),
      (replay.buttons || []).map((button) => this.button(button, "btn", "replay")));
  }
}

// ---------------------------------------------------------------- mounting

const tables = new WeakMap();

export function mount(root, data, send) {
  // Show `data` in the element `root`; called again with new data it updates what changed.
  let table = tables.get(root);
  if (!table) {
    table = new Table(root, send);
    tables.set(root, table);
  }
  table.emit = send;
  table.update(data);
  return () => {
    table.observer.disconnect();
    clearTimeout(table.holding);
    clearTimeout(table.unlocking);
    clearTimeout(table.ticking);
    tables.delete(root);
  };
}

const roots = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  let root = roots.get(parentElement);
  if (!root || !root.isConnected) {
    root = document.createElement("div");
    parentElement.append(root);
    roots.set(parentElement, root);
  }
  if (data.lang && document.documentElement.lang !== data.lang) document.documentElement.lang = data.lang;
  const stop = mount(root, data, (name, value) => setTriggerValue(name, value));
  return () => {
    stop();
    root.remove();
    roots.delete(parentElement);
  };
}
