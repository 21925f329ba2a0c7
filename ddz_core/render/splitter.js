// A hand as groups of cards: drag a card to another group, or select cards and press "here".
// data: { theme, lang, seq, groups: [{ name, state, state_text, cards: [{ rank, text, suit, label }] }],
//         words: { groups, new_group, here, selected } }; out: trigger "move" { seq, cards: [[group, rank]…], to }.
// Selection stays here; the rules stay with the sender.

const memory = new WeakMap();
const roots = new WeakMap();
const SLACK = 6;

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

function cardFace(card) {
  const word = card.text.length > 2;
  const red = card.suit === "♥" || card.suit === "♦";
  return [h("b", { class: word ? "word" : "" }, card.text), card.suit ? h("i", { class: red ? "red" : "" }, card.suit) : null];
}

export function mount(root, data, send) {
  let state = memory.get(root);
  if (!state) {
    state = { picked: new Set(), seq: null, live: null };
    memory.set(root, state);
  }
  if (state.seq !== data.seq) state.picked.clear();
  state.seq = data.seq;

  const move = (cards, to) => {
    const from = cards.filter(([group]) => group !== to);
    if (!from.length) return;
    state.picked.clear();
    send({ seq: data.seq, to, cards: from.map(([group, at]) => [group, data.groups[group].cards[at].rank]) });
  };
  const pickedCards = () => [...state.picked].map((key) => key.split(":").map(Number));

  const draw = () => {
    const focused = root.querySelector(".cut:focus");
    const keep = focused ? focused.dataset.at : null;
    const box = h("div", { class: "splitter", "data-theme": data.theme, lang: data.lang, role: "group", "aria-label": data.words.groups });
    data.groups.forEach((group, g) => box.append(groupBox(group, g)));
    box.append(newBox());
    box.append(h("span", { class: "sr", role: "status" }, state.picked.size ? data.words.selected.replace("{n}", state.picked.size) : ""));
    root.replaceChildren(box);
    if (keep) root.querySelector(`[data-at="${keep}"]`)?.focus();
  };

  const hereButton = (to) =>
    state.picked.size && pickedCards().some(([group]) => group !== to)
      ? h("button", { class: "here", type: "button", onclick: () => move(pickedCards(), to) }, data.words.here)
      : null;

  function groupBox(group, g) {
    return h(
      "div",
      { class: "group", "data-group": g },
      h("span", { class: "name" }, group.name),
      h("div", { class: "row" }, group.cards.map((card, at) => cardButton(card, g, at))),
      h("span", { class: `state ${group.state}` }, group.state_text),
      hereButton(g),
    );
  }

  function newBox() {
    return h("div", { class: "group new", "data-group": data.groups.length }, h("span", {}, data.words.new_group), hereButton(data.groups.length));
  }

  function cardButton(card, g, at) {
    const key = `${g}:${at}`;
    const node = h("button", { class: near(g, at) ? "cut near" : "cut", type: "button", "data-at": key, "aria-pressed": state.picked.has(key) ? "true" : "false", "aria-label": card.label }, cardFace(card));
    node.onclick = (event) => {
      // a finger's or mouse's click is handled when it is lifted; this is the keyboard's
      if (event.detail === 0) toggle(key);
    };
    node.onpointerdown = (event) => start(event, node, g, at);
    return node;
  }

  const near = (g, at) => at > 0 && data.groups[g].cards[at - 1].rank === data.groups[g].cards[at].rank;

  function toggle(key) {
    if (state.picked.has(key)) state.picked.delete(key);
    else state.picked.add(key);
    draw();
  }

  function start(event, node, g, at) {
    if (event.button) return;
    const key = `${g}:${at}`;
    const from = { x: event.clientX, y: event.clientY };
    let ghost = null;
    let over = null;
    const cards = state.picked.has(key) ? pickedCards() : [[g, at]];
    node.setPointerCapture(event.pointerId);
    const target = (e) => {
      const tree = root.getRootNode();
      const hit = tree.elementFromPoint(e.clientX, e.clientY);
      return hit ? hit.closest("[data-group]") : null;
    };
    node.onpointermove = (e) => {
      if (!ghost && Math.hypot(e.clientX - from.x, e.clientY - from.y) < SLACK) return;
      if (!ghost) {
        ghost = node.cloneNode(true);
        ghost.classList.add("ghost");
        ghost.removeAttribute("data-at");
        const style = getComputedStyle(node);
        ghost.style.width = style.width;
        ghost.style.height = style.height;
        node.closest(".splitter").append(ghost);
        for (const [a, b] of cards) root.querySelector(`[data-at="${a}:${b}"]`)?.classList.add("gone");
      }
      // the box may sit in a transformed ancestor: place by what the browser measured
      ghost.style.left = "0px";
      ghost.style.top = "0px";
      const zero = ghost.getBoundingClientRect();
      ghost.style.left = `${e.clientX - zero.left - zero.width / 2}px`;
      ghost.style.top = `${e.clientY - zero.top - zero.height / 2}px`;
      const now = target(e);
      if (now !== over) {
        over?.classList.remove("over");
        now?.classList.add("over");
        over = now;
      }
    };
    const end = (e, done) => {
      node.onpointermove = node.onpointerup = node.onpointercancel = null;
      ghost?.remove();
      if (!done) return draw();
      if (!ghost) return toggle(key);
      const goal = target(e);
      if (goal && Number(goal.dataset.group) !== g) move(cards, Number(goal.dataset.group));
      draw();
    };
    node.onpointerup = (e) => end(e, true);
    node.onpointercancel = (e) => end(e, false);
  }

  draw();
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  // the parent may be a shadow root, in which no selector finds a child by ":scope"
  let root = roots.get(parentElement);
  if (!root?.isConnected) {
    root = document.createElement("div");
    root.className = "splitter-root";
    parentElement.append(root);
    roots.set(parentElement, root);
  }
  mount(root, data, (moved) => setTriggerValue("move", moved));
}
