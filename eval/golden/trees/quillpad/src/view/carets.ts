import type { Editor } from "./editor";

interface Remote {
  name: string;
  color: string;
  head: number;
  seen: number;
}

const FADE_MS = 2000;

/** Thin lines that show where the others are. */
export class RemoteCarets {
  private others = new Map<string, Remote>();
  private layer = document.createElement("div");

  constructor(private editor: Editor) {
    this.layer.className = "carets";
    editor.element.parentElement?.append(this.layer);
    editor.subscribe(() => this.paint());
  }

  update(id: string, name: string, head: number, now = Date.now()): void {
    this.others.set(id, { name, color: colorOf(id), head, seen: now });
    this.paint();
  }

  leave(id: string): void {
    this.others.delete(id);
    this.paint();
  }

  private paint(): void {
    this.layer.replaceChildren();
    for (const { name, color, head, seen } of this.others.values()) {
      const { index } = this.editor.doc.resolve(Math.min(head, this.editor.doc.size - 1));
      const box = this.editor.element.children[index]?.getBoundingClientRect();
      if (!box) {
        continue;
      }
      const caret = document.createElement("i");
      caret.style.cssText = `left:${box.left}px;top:${box.top}px;background:${color}`;
      if (Date.now() - seen < FADE_MS) {
        caret.title = name;
      }
      this.layer.append(caret);
    }
  }
}

function colorOf(id: string): string {
  let hash = 7;
  for (const char of id) {
    hash = (hash * 31 + char.charCodeAt(0)) % 360;
  }
  return `hsl(${hash} 70% 45%)`;
}
