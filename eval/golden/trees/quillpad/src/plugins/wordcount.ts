import type { Editor } from "../view/editor";

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

export function countWords(text: string): number {
  let count = 0;
  for (const segment of segmenter.segment(text)) {
    if (segment.isWordLike) count++;
  }
  return count;
}

export function wordcount(editor: Editor, element: HTMLElement): () => void {
  const update = () => {
    const words = editor.doc.blocks.reduce((sum, block) => sum + countWords(block.text), 0);
    const minutes = Math.max(1, Math.round(words / 220));
    element.textContent = `${words} words, ${minutes} min`;
  };
  update();
  return editor.subscribe(update);
}
