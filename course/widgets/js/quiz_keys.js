// The keyboard, while the focus is in the card.

// In its command mode JupyterLab takes plain keys for itself: arrows move between cells, X cuts one. While the focus is in
// the card they belong to the card. The window is asked first; Shift+Enter, Ctrl+S and the like go on to JupyterLab. Where
// text is written all keys belong to it but those that save: Shift+Enter would run the cell, and the text would be lost.
export function keepKeys(root) {
  const window = root.ownerDocument.defaultView;
  function onKey(event) {
    if (event.key === "Tab" || !root.contains(event.target)) return;
    const command = event.ctrlKey || event.metaKey;
    const plain = !command && !event.altKey && !event.shiftKey;
    const saves = command && event.key.toLowerCase() === "s";
    if (event.target.matches("textarea") ? !saves : plain) event.stopImmediatePropagation();
  }
  window.addEventListener("keydown", onKey, true);
  return () => window.removeEventListener("keydown", onKey, true);
}
