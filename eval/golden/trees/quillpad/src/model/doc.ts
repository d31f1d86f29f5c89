export type BlockKind = "paragraph" | "heading" | "bullet" | "number" | "quote" | "code";

export interface Mark {
  kind: "strong" | "em" | "link";
  from: number;
  to: number;
  href?: string;
}

export interface Block {
  kind: BlockKind;
  level: number;
  text: string;
  marks: Mark[];
}

/** Positions count characters from the start; every block end counts as one. */
export class Doc {
  private constructor(readonly blocks: readonly Block[]) {}

  static empty(): Doc {
    return new Doc([{ kind: "paragraph", level: 0, text: "", marks: [] }]);
  }

  static of(blocks: Block[]): Doc {
    return blocks.length ? new Doc(blocks) : Doc.empty();
  }

  static fromJSON(json: unknown): Doc {
    if (!Array.isArray(json)) {
      throw new TypeError("a document is a list of blocks");
    }
    return Doc.of(json.map(readBlock));
  }

  toJSON(): Block[] {
    return [...this.blocks];
  }

  get size(): number {
    return this.blocks.reduce((sum, block) => sum + block.text.length + 1, 0);
  }

  /** The block a position falls into, and the offset within it. */
  resolve(pos: number): { index: number; offset: number; start: number } {
    if (pos < 0 || pos >= this.size) {
      throw new RangeError(`position ${pos} is outside of the document (size ${this.size})`);
    }
    let start = 0;
    for (const [index, block] of this.blocks.entries()) {
      const end = start + block.text.length;
      if (pos <= end) {
        return { index, offset: pos - start, start };
      }
      start = end + 1;
    }
    throw new RangeError("unreachable");
  }

  textBetween(from: number, to: number): string {
    return this.blocks.map((block) => block.text).join("\n").slice(from, to);
  }

  replaceBlocks(index: number, count: number, fresh: Block[]): Doc {
    const blocks = [...this.blocks];
    blocks.splice(index, count, ...fresh);
    return Doc.of(blocks);
  }
}

function readBlock(json: any): Block {
  const { kind, level = 0, text = "", marks = [] } = json;
  return { kind, level, text: String(text), marks };
}
