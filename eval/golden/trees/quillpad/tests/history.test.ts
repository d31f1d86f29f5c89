import { expect, it } from "vitest";
import { Doc, History, InsertText, Mapping } from "../src/index";

function type(history: History, doc: Doc, text: string, start: number, gap: number): Doc {
  let now = start;
  for (const [n, char] of [...text].entries()) {
    const step = new InsertText(n, char);
    history.record(step, doc, now);
    doc = step.apply(doc);
    now += gap;
  }
  return doc;
}

const text = (doc: Doc) => doc.textBetween(0, doc.size);

it("fast typing is undone at once", () => {
  const history = new History();
  const doc = type(history, Doc.empty(), "hello", 0, 100);
  expect(text(history.undo(doc, 1000)!.doc)).toBe("");
});

it("a pause starts a new undo entry", () => {
  const history = new History();
  const doc = type(history, Doc.empty(), "ab", 0, 2000);
  expect(text(history.undo(doc, 9000)!.doc)).toBe("a");
});

it("redo brings back what undo took", () => {
  const history = new History();
  const doc = type(history, Doc.empty(), "hello", 0, 100);
  const undone = history.undo(doc, 1000)!.doc;
  expect(text(history.redo(undone, 1001)!.doc)).toBe("hello");
});

it("undo after a foreign insertion removes only our own text", () => {
  const history = new History();
  const doc = type(history, Doc.empty(), "hello", 0, 100);
  const foreign = new InsertText(0, ">> ");
  history.moveOver(foreign.mapping());
  expect(text(history.undo(foreign.apply(doc), 1000)!.doc)).toBe(">> ");
});

it("with nothing recorded undo and redo decline", () => {
  expect(new History().undo(Doc.empty(), 0)).toBeNull();
  expect(new History().redo(Doc.empty(), 0)).toBeNull();
});
