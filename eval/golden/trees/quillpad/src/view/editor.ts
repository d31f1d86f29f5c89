import { Doc } from "../model/doc";
import { History } from "../model/history";
import { DeleteRange, InsertText, type Step } from "../model/step";
import { bindKeys, type Keymap } from "../input/keymap";
import { applyRules, defaultRules, type Rule } from "../input/rules";
import { readPaste } from "../input/paste";
import { draw } from "./draw";
import { readSelection, writeSelection, type Range } from "./selection";

export interface EditorOptions {
  keymap?: Keymap;
  rules?: Rule[];
  onStep?: (step: Step, origin: "local" | "remote") => void;
}

export class Editor {
  doc: Doc;
  selection: Range = { anchor: 0, head: 0 };
  readonly history = new History();
  private listeners = new Set<() => void>();

  constructor(readonly element: HTMLElement, doc: Doc, private options: EditorOptions = {}) {
    this.doc = doc;
    element.contentEditable = "true";
    element.addEventListener("beforeinput", (event) => this.beforeInput(event as InputEvent));
    element.addEventListener("paste", (event) => this.paste(event as ClipboardEvent));
    document.addEventListener("selectionchange", () => this.followSelection());
    bindKeys(element, this, options.keymap);
    this.render();
  }

  /** The only door through which the text changes. */
  dispatch(step: Step, origin: "local" | "remote" = "local"): void {
    const before = this.doc;
    this.doc = step.apply(before);
    const mapping = step.mapping();
    this.selection = {
      anchor: mapping.map(this.selection.anchor, origin === "local" ? 1 : -1),
      head: mapping.map(this.selection.head, origin === "local" ? 1 : -1),
    };
    if (origin === "local") {
      this.history.record(step, before, Date.now());
    } else {
      this.history.moveOver(mapping);
    }
    this.options.onStep?.(step, origin);
    this.render();
  }

  undo(): boolean {
    const result = this.history.undo(this.doc, Date.now());
    return this.accept(result);
  }

  redo(): boolean {
    return this.accept(this.history.redo(this.doc, Date.now()));
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private accept(result: { doc: Doc; steps: Step[] } | null): boolean {
    if (!result) {
      return false;
    }
    this.doc = result.doc;
    result.steps.forEach((step) => this.options.onStep?.(step, "local"));
    this.render();
    return true;
  }

  private beforeInput(event: InputEvent): void {
    const { anchor, head } = this.selection;
    const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
    switch (event.inputType) {
      case "insertText":
      case "insertReplacementText":
        event.preventDefault();
        this.replace(from, to, event.data ?? "");
        applyRules(this, this.options.rules ?? defaultRules);
        break;
      case "insertParagraph":
        event.preventDefault();
        this.replace(from, to, "\n");
        break;
      case "deleteContentBackward":
        event.preventDefault();
        this.replace(from === to ? Math.max(0, from - 1) : from, to, "");
        break;
      default:
        // Composition cannot be prevented; what it did is read back when it ends.
        break;
    }
  }

  private replace(from: number, to: number, text: string): void {
    if (to > from) {
      this.dispatch(new DeleteRange(from, to));
    }
    if (text) {
      this.dispatch(new InsertText(from, text));
    }
  }

  private paste(event: ClipboardEvent): void {
    event.preventDefault();
    const text = readPaste(event.clipboardData);
    this.replace(this.selection.anchor, this.selection.head, text);
  }

  private followSelection(): void {
    const range = readSelection(this.element, this.doc);
    if (range) {
      this.selection = range;
    }
  }

  private render(): void {
    draw(this.element, this.doc);
    writeSelection(this.element, this.selection);
    this.listeners.forEach((listener) => listener());
  }
}
