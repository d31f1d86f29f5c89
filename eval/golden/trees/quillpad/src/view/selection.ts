import type { Doc } from "../model/doc";

export interface Range {
  anchor: number;
  head: number;
}

export function readSelection(root: HTMLElement, doc: Doc): Range | null {
  const selection = root.ownerDocument.getSelection();
  if (!selection?.anchorNode || !root.contains(selection.anchorNode)) {
    return null;
  }
  const anchor = toPosition(root, selection.anchorNode, selection.anchorOffset);
  const head = toPosition(root, selection.focusNode!, selection.focusOffset);
  return { anchor: Math.min(anchor, doc.size - 1), head: Math.min(head, doc.size - 1) };
}

export function writeSelection(root: HTMLElement, range: Range): void {
  const selection = root.ownerDocument.getSelection();
  if (!selection || root.ownerDocument.activeElement !== root) {
    return;
  }
  const [a, b] = [fromPosition(root, range.anchor), fromPosition(root, range.head)];
  selection.setBaseAndExtent(a.node, a.offset, b.node, b.offset);
}

/** Counts the characters before a place in the DOM. */
function toPosition(root: HTMLElement, node: Node, offset: number): number {
  let count = 0;
  for (const block of root.children) {
    if (block.contains(node)) {
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text && text !== node; text = walker.nextNode()) {
        count += text.textContent!.length;
      }
      return count + offset;
    }
    count += (block.textContent ?? "").length + 1;
  }
  return count;
}

function fromPosition(root: HTMLElement, pos: number): { node: Node; offset: number } {
  for (const block of root.children) {
    const length = (block.textContent ?? "").length;
    if (pos <= length) {
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        if (pos <= text.textContent!.length) {
          return { node: text, offset: pos };
        }
        pos -= text.textContent!.length;
      }
      return { node: block, offset: 0 };
    }
    pos -= length + 1;
  }
  return { node: root, offset: root.childNodes.length };
}
