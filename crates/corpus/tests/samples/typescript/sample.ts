/// <reference types="node" />
import type { Grid, Cell } from './grid';
import { type Clock, tick } from "./clock.js";
import fs = require('node:fs');
import Short = Plant.Bed.Row;
export type { Soil } from './soil';
export * as weather from './weather';

/** Beds are counted from one. */
export const FIRST_BED: number = 1;
export let watered: Date | undefined, wetter = false;
declare const VERSION: string;
declare function alarm(message: string): never;
declare module 'seeds' { export function buy(kind: string): Promise<Seed[]>; const SHOP: URL; }
declare global { interface Window { garden: Garden<any> } }

// What grows.
export enum Kind {
  Root,
  /** Above the ground. */
  Leaf = 'leaf',
  'sun-flower' = 3,
}

export type Handler<T extends Plant = Plant> = (plant: T, at?: Clock) => asserts plant is Ripe<T>;
type Options = Partial<Record<Kind, Cell[]>> & {
  /** Litres a day. */
  water: number;
  dry?: { days: number };
};

export interface Plant extends Living, weather.Sensitive<Cell> {
  readonly name: string;
  grow?(
    days: number,
    soil: Soil,
  ): this;
  new (name: string): Plant;
  [trait: string]: unknown;
}

export namespace Beds.Inner {
  export const depth = 30;
  export function dig(): void {}
}

export function find(name: string): Plant;
export function find(name: string, kind: Kind): Plant | null;
export function find(name: any, kind?: Kind) {
  const local = tick<Grid>(name as unknown as Cell);
  return local!.search?.(fs.readFileSync(name)) satisfies Plant;
}

/** Everything together. */
@Injectable()
@Component({
  selector: 'garden',
})
export class Garden<T extends Plant> extends Base<T> implements Iterable<T>, Beds.Owner {
  @Input() size: keyof T = 'name';
  private static readonly all = new Map<string, Garden<Plant>>();
  declare protected rows?: [Cell, ...Row[]];
  onRain = async (mm: number): Promise<void> => { await alarm(`${mm}`); };

  constructor(private readonly soil: Soil, public owner?: Person) { super(soil); }

  // Harvests what is ripe.
  @Once()
  @Log('harvest', 2)
  override async harvest<K extends keyof T>(key: K): Promise<T[K]> {
    return (await this.pick(key)) as T[K];
  }
  get [Symbol.iterator]() { return <Iterator<T>>this.rows; }
  pick(key: PropertyKey): any;
  pick(key: unknown) { return key instanceof Shears ? key.cut() : undefined; }
}

@sealed
abstract class Base<T> { protected abstract weigh(plant: T): number; abstract unit: Unit; }
const twice = <T,>(value: T): T[] => [value, value];

describe('garden', () => { it.skip('rains', async () => expect(twice(1)).toHaveLength(2)); });
export = Garden;
