import type { BlockKind } from "../model/doc";
import { DeleteRange, InsertText, SetKind } from "../model/step";
import type { Editor } from "../view/editor";

export interface Rule {
  pattern: RegExp;
  kind?: BlockKind;
  replaceWith?: (match: RegExpExecArray) => string;
}

/** What is spelled out at the keyboard and becomes something else. */
export const defaultRules: Rule[] = [
  { pattern: /^#{1,3} $/, kind: "heading" },
  { pattern: /^[-*] $/, kind: "bullet" },
  { pattern: /^1[.)] $/, kind: "number" },
  { pattern: /^> $/, kind: "quote" },
  { pattern: /^```$/, kind: "code" },
  { pattern: /(^|[\s(])"$/, replaceWith: (match) => `${match[1]}\u201c` },
  { pattern: /(\S)"$/, replaceWith: (match) => `${match[1]}\u201d` },
  { pattern: /--$/, replaceWith: () => "\u2013" },
];

export function applyRules(editor: Editor, rules: Rule[]): boolean {
  const { index, offset, start } = editor.doc.resolve(editor.selection.head);
  const block = editor.doc.blocks[index]!;
  if (block.kind === "code") {
    return false;
  }
  const typed = block.text.slice(0, offset);
  for (const rule of rules) {
    const match = rule.pattern.exec(typed);
    if (!match) {
      continue;
    }
    const from = start + match.index;
    editor.dispatch(new DeleteRange(from, from + match[0].length));
    if (rule.kind) {
      editor.dispatch(new SetKind(from, rule.kind, match[0].trim().length));
    } else if (rule.replaceWith) {
      editor.dispatch(new InsertText(from, rule.replaceWith(match)));
    }
    return true;
  }
  return false;
}
