import { SetKind, ToggleMark } from "../model/step";
import type { Editor } from "../view/editor";

/** Does something and returns true, or declines. */
export type Command = (editor: Editor) => boolean;
export type Keymap = Record<string, Command>;

const isMac = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? "");

const toggle = (mark: "strong" | "em"): Command => (editor) => {
  const { anchor, head } = editor.selection;
  if (anchor === head) {
    return false;
  }
  editor.dispatch(new ToggleMark(Math.min(anchor, head), Math.max(anchor, head), mark));
  return true;
};

const indent = (by: 1 | -1): Command => (editor) => {
  const { index } = editor.doc.resolve(editor.selection.head);
  const block = editor.doc.blocks[index]!;
  const level = block.level + by;
  if ((block.kind !== "bullet" && block.kind !== "number") || level < 0 || level > 8) {
    return false;
  }
  editor.dispatch(new SetKind(editor.selection.head, block.kind, level));
  return true;
};

export const keymap: Keymap = {
  "Mod-z": (editor) => editor.undo(),
  "Mod-Shift-z": (editor) => editor.redo(),
  "Mod-y": (editor) => editor.redo(),
  "Mod-b": toggle("strong"),
  "Mod-i": toggle("em"),
  Tab: indent(1),
  "Shift-Tab": indent(-1),
};

/** `Shift-Mod-z`, `Cmd-z` and so on, brought into one order. */
export function normalizeKey(name: string): string {
  const parts = name.split("-");
  const key = parts.pop()!;
  const mods = new Set(parts.map((part) => (part === "Cmd" || part === "Ctrl" ? "Mod" : part)));
  return ["Mod", "Alt", "Shift"].filter((mod) => mods.has(mod)).concat(key).join("-");
}

function nameOf(event: KeyboardEvent): string {
  const mods = [
    (isMac ? event.metaKey : event.ctrlKey) && "Mod",
    event.altKey && "Alt",
    event.shiftKey && "Shift",
  ].filter(Boolean);
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return [...mods, key].join("-");
}

export function bindKeys(element: HTMLElement, editor: Editor, own: Keymap = {}): void {
  const bindings = [own, keymap].map((map) =>
    Object.fromEntries(Object.entries(map).map(([name, run]) => [normalizeKey(name), run])),
  );
  element.addEventListener("keydown", (event) => {
    const name = nameOf(event);
    if (bindings.some((map) => map[name]?.(editor))) {
      event.preventDefault();
    }
  });
}
