// A lesson or game on the wall: large cards, no menus, everything by key.
// data: { theme, lang, at, steps: [{ title, text, question, beat, hands: [{ name, cards: [{ text, suit }], hidden, turn }],
//         options: [], answer, why }], words: { … } }; out: trigger "leave" { at }.
// What is shown, hidden, marked and drawn lives here and is forgotten with the page.

const memory = new WeakMap();

function h(tag, props, ...kids) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node[key] = value;
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  for (const kid of kids.flat()) if (kid !== null && kid !== undefined && kid !== false) node.append(kid);
  return node;
}

const svg = (tag, props) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(props)) node.setAttribute(key, String(value));
  return node;
};

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let root = parentElement.querySelector(".present-host");
  if (!root) {
    root = h("div", { class: "present-host" });
    parentElement.append(root);
  }
  let state = memory.get(root);
  if (!state) {
    state = { at: data.at, dark: data.theme === "dark", shown: new Map(), marks: new Set(), arrows: [], answer: false, help: false };
    memory.set(root, state);
  }
  state.at = Math.min(state.at, data.steps.length - 1);
  const words = data.words;

  const step = () => data.steps[state.at];
  const isHidden = (n) => (state.shown.has(n) ? !state.shown.get(n) : step().hands[n].hidden);

  const go = (to) => {
    const at = Math.max(0, Math.min(data.steps.length - 1, to));
    if (at !== state.at) Object.assign(state, { at, answer: false, arrows: [] }, { marks: new Set(), shown: new Map() });
    draw();
  };
  const toggle = (n) => {
    if (n < step().hands.length) state.shown.set(n, isHidden(n));
    draw();
  };
  const all = () => {
    const any = step().hands.some((_, n) => isHidden(n));
    step().hands.forEach((_, n) => state.shown.set(n, any));
    draw();
  };
  const leave = () => {
    window.removeEventListener("keydown", state.listener, true);
    state.listener = null;
    if (document.fullscreenElement) document.exitFullscreen();
    setTriggerValue("leave", { at: state.at });
  };
  const actions = {
    ArrowRight: () => go(state.at + 1), PageDown: () => go(state.at + 1), " ": () => go(state.at + 1),
    ArrowLeft: () => go(state.at - 1), PageUp: () => go(state.at - 1),
    Home: () => go(0), End: () => go(data.steps.length - 1),
    a: () => { state.answer = !state.answer; draw(); },
    d: () => { state.dark = !state.dark; draw(); },
    x: () => { state.marks = new Set(); state.arrows = []; draw(); },
    f: () => (document.fullscreenElement ? document.exitFullscreen() : root.getRootNode().host?.requestFullscreen?.() || document.documentElement.requestFullscreen()),
    h: () => { state.help = !state.help; draw(); },
    0: all,
    Escape: leave,
  };
  if (state.listener) window.removeEventListener("keydown", state.listener, true);
  state.listener = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !root.isConnected) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const digit = "123456789".indexOf(key);
    const act = actions[key] || (key.length === 1 && digit >= 0 ? () => toggle(digit) : null);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  };
  window.addEventListener("keydown", state.listener, true);

  const card = (face, id) => {
    const word = face.text.length > 2;
    const red = face.suit === "♥" || face.suit === "♦";
    return h("button", {
      class: `card${state.marks.has(id) ? " marked" : ""}`, type: "button", tabindex: -1, "data-id": id, "aria-label": face.label,
      onpointerdown: () => { state.from = id; },
      onpointerup: (event) => {
        const over = root.getRootNode().elementFromPoint(event.clientX, event.clientY)?.closest("[data-id]");
        const to = over ? over.dataset.id : id;
        if (state.from && state.from !== to) state.arrows.push([state.from, to]);
        else if (state.marks.has(id)) state.marks.delete(id);
        else state.marks.add(id);
        state.from = null;
        draw();
      },
    }, h("b", { class: word ? "word" : "" }, face.text), face.suit ? h("i", { class: red ? "red" : "" }, face.suit) : null);
  };
  const row = (cards, prefix) => {
    const box = h("div", { class: "cards" });
    cards.forEach((face, n) => box.append(card(face, `${prefix}:${n}`)));
    box.style.setProperty("--n", Math.max(cards.length, 1));
    return box;
  };
  const hand = (one, n) => {
    const closed = isHidden(n);
    return h("section", { class: `hand${one.turn ? " turn" : ""}`, "data-id": `h:${n}` },
      h("h3", {}, h("kbd", {}, String(n + 1)), ` ${one.name}`, h("span", {}, ` ${one.cards.length}`), one.turn ? h("em", {}, words.turn) : null),
      closed ? h("button", { class: "closed", type: "button", onclick: () => toggle(n) }, words.hidden) : row(one.cards, `c${n}`));
  };

  const arrows = (box) => {
    const frame = box.getBoundingClientRect();
    const layer = svg("svg", { class: "arrows", width: frame.width, height: frame.height, "aria-hidden": "true" });
    const tip = svg("marker", { id: "tip", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto-start-reverse" });
    tip.append(svg("path", { d: "M0 0 10 5 0 10z", fill: "currentColor" }));
    layer.append(tip);
    for (const [from, to] of state.arrows) {
      const [a, b] = [from, to].map((id) => box.querySelector(`[data-id="${id}"]`)?.getBoundingClientRect());
      if (!a || !b) continue;
      layer.append(svg("line", {
        x1: a.left + a.width / 2 - frame.left, y1: a.top + a.height / 2 - frame.top,
        x2: b.left + b.width / 2 - frame.left, y2: b.top + b.height / 2 - frame.top,
        stroke: "currentColor", "stroke-width": 7, "stroke-linecap": "round", "marker-end": "url(#tip)",
      }));
    }
    box.append(layer);
  };

  function draw() {
    const now = step();
    const keys = h("p", { class: "keys" }, state.help ? words.keys : words.help);
    const box = h("div", { class: "present", "data-theme": state.dark ? "dark" : "light", lang: data.lang, role: "region", "aria-label": words.present },
      h("header", {}, h("h2", {}, now.title), h("span", { class: "at" }, `${state.at + 1} / ${data.steps.length}`),
        h("button", { type: "button", onclick: () => go(state.at - 1), "aria-label": words.back, disabled: state.at === 0 }, "←"),
        h("button", { type: "button", onclick: () => go(state.at + 1), "aria-label": words.next, disabled: state.at === data.steps.length - 1 }, "→"),
        h("button", { type: "button", onclick: leave, "aria-label": words.leave }, "✕")),
      now.text ? h("p", { class: "text" }, now.text) : null,
      now.beat ? h("section", { class: "beat", "data-id": "beat" }, h("h3", {}, now.beat.name), row(now.beat.cards, "b")) : null,
      ...now.hands.map(hand),
      now.question ? h("p", { class: "question" }, now.question) : null,
      now.options.length ? h("ol", { class: "options" }, ...now.options.map((text) => h("li", {}, text))) : null,
      now.answer ? h("div", { class: "answer", role: "status" }, state.answer ? [h("strong", {}, now.answer), now.why ? h("p", {}, now.why) : null] : h("button", { type: "button", onclick: actions.a }, words.answer)) : null,
      keys);
    root.replaceChildren(box);
    if (state.arrows.length) arrows(box);
  }
  draw();
  return () => {
    if (state.listener) window.removeEventListener("keydown", state.listener, true);
    state.listener = null;
  };
}
