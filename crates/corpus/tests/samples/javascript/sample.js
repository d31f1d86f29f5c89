#!/usr/bin/env node
// Tickets for a ferry.
import fares, { discount as cut } from './fares.js';
import * as clock from "node:timers";
import './polyfill';
export * from './harbour';
export { dock, pier as jetty } from './harbour/piers';
const fs = require('fs'), { join } = require('node:path');

/** Seats on the small boat. */
export const SEATS = 48;
let sold = 0, open = true;
var legacy;
export const { adult, child: minor } = fares;

// Sells one ticket.
// Throws when the boat is full.
export async function sell(passenger, { seat = null, ...rest } = {}) {
  const label = `${passenger.name}`;
  const check = (n) => n < SEATS;
  if (!check(sold++)) throw new FullError(label);
  const { print } = await import('./printer.mjs');
  return print?.(label, clock.now());
}

function* numbers() { yield* [1, 2]; }
export const price = age => cut(age), factor = 2;
const lookup = function inner(key) { return lookup.cache.get(key); };

/** A crossing. */
@timed
@logged('crossing', {
  level: 2,
})
export class Crossing extends fares.Base {
  static #count = 0;
  /** Where it ends. */
  to = 'north';
  'wind-speed' = 3;
  onDelay = (minutes) => {
    this.minutes = minutes;
  };

  constructor(boat) { super(boat); }
  get full() { return this instanceof Crossing; }
  set full(value) {}
  @cached
  static async *stops() {}
  #hidden() { return new clock.Timer(); }
  [Symbol.iterator]() { return numbers(); }
}

class FullError extends Error {}
const Anonymous = class extends Crossing { ring() { this.#hidden(); } };

function Boat(name) {
  this.honk = function () { return horn`${name}`; };
}
// Leaves the pier.
Boat.prototype.leave = function (at) { return at; };
Boat.prototype = {
  arrive: function () {},
  moor() { return this.arrive(); },
};

exports.LIMIT = Object.freeze([1, 2]);
exports.refund = (ticket) => ticket.void();
module.exports.tools = { wash: b => b, dry() {}, count: 3 };
router.handle = function handle(req) { return { ok: () => req }; };
app.get('/boats', function listBoats(req, res) { res.send(fs.readFileSync(join('a'))); });

describe('crossing', () => {
  it('leaves on time', async function () { expect(new Boat('b').leave(1)).toBe(1); });
  test.each([1, 2])(`carries ${SEATS} people`, (n) => {});
  it.todo('sinks never');
});

export default () => fares;
