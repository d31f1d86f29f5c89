import { Doc } from "../model/doc";
import type { Editor } from "../view/editor";
import { debounce } from "../util/timing";

const QUIET_MS = 1500;

/** Keeps a copy in the browser, for the day the tab is closed by accident. */
export function autosave(editor: Editor, key: string, storage: Storage = localStorage): () => void {
  const save = debounce(() => {
    try {
      storage.setItem(slot(key), JSON.stringify({ at: Date.now(), doc: editor.doc.toJSON() }));
    } catch (error) {
      // Private windows have no room at all, full disks none left.
      console.warn("autosave: could not write to local storage", error);
    }
  }, QUIET_MS);
  const unsubscribe = editor.subscribe(save);
  window.addEventListener("pagehide", save.flush);
  return () => {
    unsubscribe();
    window.removeEventListener("pagehide", save.flush);
  };
}

export function recover(key: string, storage: Storage = localStorage): Doc | null {
  const text = storage.getItem(slot(key));
  if (!text) {
    return null;
  }
  try {
    return Doc.fromJSON(JSON.parse(text).doc);
  } catch {
    return null;
  }
}

const slot = (key: string) => `quillpad:draft:${key}`;
