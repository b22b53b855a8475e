// The keyboard, while the focus is inside the view.

// JupyterLab listens on the document before the view could: in its command mode it takes the arrows for cells and Enter for
// editing. So while the focus is inside, and only for the keys below, the view listens on the window, which comes first.
// Plain letters stop there too; all other keys (Shift+Enter, Ctrl+S, ...) go on to JupyterLab.
export function keyboard(el, actions) {
  const document = el.ownerDocument;
  const window = document.defaultView;

  function onKey(event) {
    const target = event.target;
    if (!el.contains(target) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const isControl = target.closest("button, select, summary");
    if (target.closest("select")) return event.stopImmediatePropagation();
    if (isControl && (event.key === "Enter" || event.key === " ")) return event.stopImmediatePropagation();
    if (target.closest(".course-body") && ["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key)) {
      return event.stopImmediatePropagation(); // the pane scrolls
    }
    const action = actions[event.key];
    if (!action) {
      if (event.key.length === 1) event.stopImmediatePropagation(); // a letter: in command mode "d d" deletes the cell
      return undefined;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    action();
    return undefined;
  }
  const listen = () => window.addEventListener("keydown", onKey, true);
  const ignore = () => window.removeEventListener("keydown", onKey, true);
  el.addEventListener("focusin", listen);
  el.addEventListener("focusout", ignore);
  return ignore;
}
