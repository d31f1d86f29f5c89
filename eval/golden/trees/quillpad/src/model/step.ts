import { Doc, type Block, type BlockKind, type Mark } from "./doc";
import { Mapping } from "./mapping";

/** One small change: can be applied, taken back, and moved over other changes. */
export interface Step {
  apply(doc: Doc): Doc;
  invert(before: Doc): Step;
  /** `null` when nothing is left of the step after the others. */
  rebase(over: Mapping): Step | null;
  mapping(): Mapping;
  toJSON(): object;
}

export class InsertText implements Step {
  constructor(readonly at: number, readonly text: string) {}

  apply(doc: Doc): Doc {
    const { index, offset } = doc.resolve(this.at);
    const block = doc.blocks[index]!;
    const lines = this.text.split("\n");
    const head = block.text.slice(0, offset);
    const tail = block.text.slice(offset);
    const fresh = lines.map((line, n): Block => {
      const text = (n === 0 ? head : "") + line + (n === lines.length - 1 ? tail : "");
      return { ...block, text, marks: shiftMarks(block.marks, offset, this.text.length) };
    });
    return doc.replaceBlocks(index, 1, fresh);
  }

  invert(): Step {
    return new DeleteRange(this.at, this.at + this.text.length);
  }

  rebase(over: Mapping): Step {
    return new InsertText(over.map(this.at), this.text);
  }

  mapping(): Mapping {
    return Mapping.of(this.at, 0, this.text.length);
  }

  toJSON() {
    return { type: "insert", at: this.at, text: this.text };
  }
}

export class DeleteRange implements Step {
  constructor(readonly from: number, readonly to: number) {}

  apply(doc: Doc): Doc {
    const a = doc.resolve(this.from);
    const b = doc.resolve(this.to);
    const first = doc.blocks[a.index]!;
    const last = doc.blocks[b.index]!;
    const merged: Block = { ...first, text: first.text.slice(0, a.offset) + last.text.slice(b.offset) };
    return doc.replaceBlocks(a.index, b.index - a.index + 1, [merged]);
  }

  invert(before: Doc): Step {
    return new InsertText(this.from, before.textBetween(this.from, this.to));
  }

  rebase(over: Mapping): Step | null {
    const from = over.map(this.from, 1);
    const to = over.map(this.to, -1);
    return from < to ? new DeleteRange(from, to) : null;
  }

  mapping(): Mapping {
    return Mapping.of(this.from, this.to - this.from, 0);
  }

  toJSON() {
    return { type: "delete", from: this.from, to: this.to };
  }
}

export class SetKind implements Step {
  constructor(readonly at: number, readonly kind: BlockKind, readonly level = 0) {}

  apply(doc: Doc): Doc {
    const { index } = doc.resolve(this.at);
    const block = doc.blocks[index]!;
    return doc.replaceBlocks(index, 1, [{ ...block, kind: this.kind, level: this.level }]);
  }

  invert(before: Doc): Step {
    const block = before.blocks[before.resolve(this.at).index]!;
    return new SetKind(this.at, block.kind, block.level);
  }

  rebase(over: Mapping): Step | null {
    return over.deletes(this.at) ? null : new SetKind(over.map(this.at), this.kind, this.level);
  }

  mapping(): Mapping {
    return new Mapping();
  }

  toJSON() {
    return { type: "kind", at: this.at, kind: this.kind, level: this.level };
  }
}

export class ToggleMark implements Step {
  constructor(readonly from: number, readonly to: number, readonly mark: Mark["kind"]) {}

  apply(doc: Doc): Doc {
    const { index, start } = doc.resolve(this.from);
    const block = doc.blocks[index]!;
    const [from, to] = [this.from - start, Math.min(this.to - start, block.text.length)];
    const same = (m: Mark) => m.kind === this.mark && m.from === from && m.to === to;
    const marks = block.marks.some(same)
      ? block.marks.filter((m) => !same(m))
      : [...block.marks, { kind: this.mark, from, to }];
    return doc.replaceBlocks(index, 1, [{ ...block, marks }]);
  }

  invert(): Step {
    return this;
  }

  rebase(over: Mapping): Step | null {
    const [from, to] = [over.map(this.from, 1), over.map(this.to, -1)];
    return from < to ? new ToggleMark(from, to, this.mark) : null;
  }

  mapping(): Mapping {
    return new Mapping();
  }

  toJSON() {
    return { type: "mark", from: this.from, to: this.to, mark: this.mark };
  }
}

export function stepFromJSON(json: any): Step {
  switch (json.type) {
    case "insert":
      return new InsertText(json.at, json.text);
    case "delete":
      return new DeleteRange(json.from, json.to);
    case "kind":
      return new SetKind(json.at, json.kind, json.level);
    case "mark":
      return new ToggleMark(json.from, json.to, json.mark);
    default:
      throw new Error(`unknown step type "${json.type}"; is the page older than the server?`);
  }
}

function shiftMarks(marks: Mark[], offset: number, by: number): Mark[] {
  return marks.map((mark) => ({
    ...mark,
    from: mark.from >= offset ? mark.from + by : mark.from,
    to: mark.to > offset ? mark.to + by : mark.to,
  }));
}
