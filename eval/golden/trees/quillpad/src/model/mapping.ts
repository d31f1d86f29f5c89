/** A stretch of old text that became a stretch of another length. */
export interface Change {
  at: number;
  removed: number;
  inserted: number;
}

/** Where positions went while the text changed. */
export class Mapping {
  constructor(readonly changes: readonly Change[] = []) {}

  static of(at: number, removed: number, inserted: number): Mapping {
    return new Mapping([{ at, removed, inserted }]);
  }

  then(next: Mapping): Mapping {
    return new Mapping([...this.changes, ...next.changes]);
  }

  /** `side` says whether a position at an insertion stays left of it (-1) or moves behind it (1). */
  map(pos: number, side: -1 | 1 = 1): number {
    for (const { at, removed, inserted } of this.changes) {
      if (pos < at || (pos === at && side < 0)) {
        continue;
      }
      pos = pos < at + removed ? at + (side < 0 ? 0 : inserted) : pos - removed + inserted;
    }
    return pos;
  }

  deletes(pos: number): boolean {
    return this.changes.some(({ at, removed }) => pos > at && pos < at + removed);
  }

  invert(): Mapping {
    const back = this.changes.map(({ at, removed, inserted }) => {
      return { at, removed: inserted, inserted: removed };
    });
    return new Mapping(back.reverse());
  }
}
