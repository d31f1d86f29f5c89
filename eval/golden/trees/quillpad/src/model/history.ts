import type { Doc } from "./doc";
import { Mapping } from "./mapping";
import type { Step } from "./step";

interface Entry {
  inverse: Step[];
  at: number;
}

const PAUSE_MS = 600;
const MOST_ENTRIES = 500;

/** What can be taken back. Typing without a pause is one entry. */
export class History {
  private done: Entry[] = [];
  private undone: Entry[] = [];

  record(step: Step, before: Doc, now: number): void {
    const last = this.done.at(-1);
    const inverse = step.invert(before);
    if (last && now - last.at < PAUSE_MS) {
      last.inverse.unshift(inverse);
      last.at = now;
    } else {
      this.done.push({ inverse: [inverse], at: now });
      this.done.splice(0, Math.max(0, this.done.length - MOST_ENTRIES));
    }
    this.undone = [];
  }

  /** Changes of other people are not ours to take back, but they move what is. */
  moveOver(foreign: Mapping): void {
    for (const entry of [...this.done, ...this.undone]) {
      entry.inverse = entry.inverse.flatMap((step) => step.rebase(foreign) ?? []);
    }
    this.done = this.done.filter((entry) => entry.inverse.length > 0);
  }

  undo(doc: Doc, now: number): { doc: Doc; steps: Step[] } | null {
    return this.shift(this.done, this.undone, doc, now);
  }

  redo(doc: Doc, now: number): { doc: Doc; steps: Step[] } | null {
    return this.shift(this.undone, this.done, doc, now);
  }

  private shift(from: Entry[], to: Entry[], doc: Doc, now: number) {
    const entry = from.pop();
    if (!entry) {
      return null;
    }
    const back: Step[] = [];
    for (const step of entry.inverse) {
      back.unshift(step.invert(doc));
      doc = step.apply(doc);
    }
    // An old time keeps the next keystroke from joining what was just taken back.
    to.push({ inverse: back, at: now - PAUSE_MS });
    return { doc, steps: entry.inverse };
  }
}
