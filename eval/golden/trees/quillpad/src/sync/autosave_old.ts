// Saved the whole page as HTML every ten seconds. Still used by the embed on the help pages.

let timer: number | undefined;

export function startAutosave(element: HTMLElement, key: string) {
  stopAutosave();
  timer = window.setInterval(() => {
    localStorage.setItem("draft_" + key, element.innerHTML);
    localStorage.setItem("draft_time_" + key, String(new Date().getTime()));
  }, 10000);
}

export function stopAutosave() {
  if (timer !== undefined) {
    window.clearInterval(timer);
    timer = undefined;
  }
}

export function restoreAutosave(element: HTMLElement, key: string) {
  const saved = localStorage.getItem("draft_" + key);
  if (saved) {
    element.innerHTML = saved;
  }
}
