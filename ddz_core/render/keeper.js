// Keeps one text in the browser's own storage. With no text given it sends what is kept, once;
// with a text it keeps that. Nothing is shown.
// data: { key, text | null }; out: trigger "kept" { text, storage }.

const asked = new WeakSet();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const store = () => {
    try {
      window.localStorage.setItem("paili:probe", "1");
      window.localStorage.removeItem("paili:probe");
      return window.localStorage;
    } catch (refused) {
      return null;
    }
  };
  const storage = store();
  if (data.text !== null && data.text !== undefined) {
    if (storage) {
      try {
        storage.setItem(data.key, data.text);
      } catch (full) {
        /* what cannot be kept is still in the session and in the file */
      }
    }
    return;
  }
  if (asked.has(parentElement)) return;
  asked.add(parentElement);
  setTriggerValue("kept", {
    text: storage ? storage.getItem(data.key) || "" : "",
    storage: storage !== null,
  });
}
