import type { Block, Doc } from "../model/doc";

const TAGS: Record<Block["kind"], string> = {
  paragraph: "p",
  heading: "h2",
  bullet: "li",
  number: "li",
  quote: "blockquote",
  code: "pre",
};

const drawn = new WeakMap<Element, Block>();

/** Brings the DOM in line with the document; blocks that are the same object are left alone. */
export function draw(root: HTMLElement, doc: Doc): void {
  doc.blocks.forEach((block, index) => {
    const present = root.children[index];
    if (present && drawn.get(present) === block) {
      return;
    }
    const element = drawBlock(block);
    drawn.set(element, block);
    if (present) {
      present.replaceWith(element);
    } else {
      root.append(element);
    }
  });
  while (root.children.length > doc.blocks.length) {
    root.lastElementChild!.remove();
  }
}

function drawBlock(block: Block): HTMLElement {
  const element = document.createElement(TAGS[block.kind]);
  element.dataset.kind = block.kind;
  element.style.setProperty("--level", String(block.level));
  const cuts = [...new Set([0, block.text.length, ...block.marks.flatMap((m) => [m.from, m.to])])];
  cuts.sort((a, b) => a - b);
  for (let n = 0; n + 1 < cuts.length; n++) {
    const [from, to] = [cuts[n]!, cuts[n + 1]!];
    let node: Node = document.createTextNode(block.text.slice(from, to));
    for (const mark of block.marks) {
      if (mark.from <= from && mark.to >= to) {
        const wrap = document.createElement(mark.kind === "link" ? "a" : mark.kind);
        if (mark.href) {
          wrap.setAttribute("href", mark.href);
        }
        wrap.append(node);
        node = wrap;
      }
    }
    element.append(node);
  }
  if (!block.text) {
    element.append(document.createElement("br"));
  }
  return element;
}
