import { describe, expect, it } from "vitest";
import { Doc, DeleteRange, InsertText, Mapping } from "../src/index";

const doc = (text: string) =>
  Doc.of(text.split("\n").map((line) => ({ kind: "paragraph" as const, level: 0, text: line, marks: [] })));
const text = (d: Doc) => d.textBetween(0, d.size);

describe("rebase", () => {
  it("rebase moves an insertion behind one that came first", () => {
    const theirs = new InsertText(0, "their ");
    const ours = new InsertText(0, "our ");
    const rebased = ours.rebase(theirs.mapping());
    expect(text(rebased.apply(theirs.apply(doc("text"))))).toBe("their our text");
  });

  it("rebase of a deletion keeps what others typed at its edges", () => {
    const theirs = new InsertText(3, "XYZ");
    const ours = new DeleteRange(1, 3);
    const rebased = ours.rebase(theirs.mapping())!;
    expect(text(rebased.apply(theirs.apply(doc("abcdef"))))).toBe("aXYZdef");
  });

  it("rebase of a deletion over the same deletion leaves nothing", () => {
    const theirs = new DeleteRange(1, 4);
    expect(new DeleteRange(1, 4).rebase(theirs.mapping())).toBeNull();
  });

  it("rebase over several steps composes", () => {
    const over = Mapping.of(0, 0, 2).then(Mapping.of(0, 1, 0));
    expect((new InsertText(5, "x").rebase(over) as InsertText).at).toBe(6);
  });
});

describe("invert", () => {
  it("inserting and deleting again is nothing", () => {
    const before = doc("one\ntwo");
    const step = new InsertText(2, "a\nb");
    expect(text(step.invert().apply(step.apply(before)))).toBe("one\ntwo");
  });

  it("positions outside are refused", () => {
    expect(() => new InsertText(99, "x").apply(doc("short"))).toThrow(/outside of the document/);
  });
});
