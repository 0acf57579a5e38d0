/** Sequences from seeds: several clients who read and write a few objects of a few kinds. A sequence is a row. */

import type { SeededRandom } from '../../test/harness/index.ts';
import type { Kind } from '../core/kinds.ts';
import { collection } from '../core/rows/words.ts';
import type { RequestStep, Row, Step, WatchStep } from '../differential/row.ts';
import { type Draft, type Memory, readers } from './reads.ts';
import { reviews } from './reviews.ts';
import type { Client, Player, World } from './world.ts';
import { writers } from './writes.ts';

const STEPS_MIN = 8;
const STEPS_MAX = 22;
const PLAYERS_MAX = 3;
/** How many steps a watch may see while it is open. */
const DURING_MAX = 5;

/** The same seed gives the same sequence for as long as the generator does not change. */
export function randomSequence(world: World, random: SeededRandom): Row {
  const players = random.shuffle(world.players).slice(0, random.int(1, PLAYERS_MAX));
  const maker = new Maker(world, players, random);
  return {
    name: `sequence ${world.name} ${random.seed}`,
    covers: { feature: 'routing' }, // Of no table: nothing is counted.
    steps: [...maker.beginning(), ...maker.middle(), ...maker.end()],
  };
}

class Maker {
  readonly #world: World;
  readonly #players: readonly Player[];
  readonly #random: SeededRandom;
  readonly #memory: Memory = { touched: new Map(), pages: new Map() };
  #count = 0;

  constructor(world: World, players: readonly Player[], random: SeededRandom) {
    this.#world = world;
    this.#players = players;
    this.#random = random;
  }

  /** Points that watches at the end begin from, and the token. */
  beginning(): Step[] {
    const token: RequestStep = {
      name: 'token',
      method: 'POST',
      path: '/api/v1/namespaces/{ns}/serviceaccounts/robot/token',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      setup: true,
    };
    return [
      ...(this.#world.hasRobot ? [token] : []),
      ...this.#players.map(({ kind }, index) => ({
        name: `begin-${index}`,
        path: collection(kind),
        query: { labelSelector: 'row={ns}' },
      })),
    ];
  }

  middle(): Step[] {
    const length = this.#random.int(STEPS_MIN, STEPS_MAX);
    const steps: Step[] = [];
    while (this.#count < length) {
      steps.push(this.#random.chance(0.06) ? this.#watch() : this.#step());
    }
    return steps;
  }

  /** Everything that is left, and everything that has happened. */
  end(): Step[] {
    return this.#players.flatMap(({ kind }, index): Step[] => [
      { name: `left-${index}`, path: collection(kind), query: { labelSelector: 'row={ns}' } },
      ...pagesOf(kind, index),
      watchOf(`seen-${index}`, {
        path: collection(kind),
        query: { labelSelector: 'row={ns}', resourceVersion: `{rv:begin-${index}}` },
      }),
    ]);
  }

  #watch(): WatchStep {
    const random = this.#random;
    const name = this.#name();
    const player = random.pick(this.#players);
    const index = this.#players.indexOf(player);
    const during = Array.from({ length: random.int(1, DURING_MAX) }, () => this.#step());
    const selector = random.pick(['row={ns}', 'row={ns},x=1', 'row={ns},x!=1']);
    const open = {
      ...this.#client().come,
      path: collection(player.kind),
      query: { labelSelector: selector, resourceVersion: `{rv:begin-${index}}` },
    };
    return watchOf(name, open, during);
  }

  #step(): RequestStep {
    const random = this.#random;
    const name = this.#name();
    const player = random.pick(this.#players);
    const end = this.#world.endsNamespaces && random.chance(0.02);
    const { come } = this.#client();
    const draft: Draft = end
      ? { method: 'DELETE', path: '/api/v1/namespaces/{ns}' }
      : this.#draft(name, player);
    const headers = { ...draft.headers, ...come.headers };
    return { name, ...draft, ...come, ...(Object.keys(headers).length > 0 && { headers }) };
  }

  #draft(name: string, player: Player): Draft {
    const random = this.#random;
    const given = { name, player, random, memory: this.#memory };
    const chosen = random.next();
    if (chosen < 0.24) return random.pick(readers)(given);
    if (chosen < 0.28 && this.#world.hasRobot) return random.pick(reviews)(given);
    return random.pick(writers)(given);
  }

  /** An administrator does half of all steps; otherwise there would be few objects. */
  #client(): Client {
    const [first, ...others] = this.#world.clients;
    return this.#random.chance(0.6) ? first : this.#random.pick(others);
  }

  #name(): string {
    this.#count += 1;
    return `s${this.#count}`;
  }
}

/** Two pages; of what is in a namespace all, because a page of selected objects does not say how many follow. */
function pagesOf(kind: Kind, index: number): Step[] {
  const path = collection(kind);
  const query = { limit: '1', ...(!kind.namespaced && { labelSelector: 'row={ns}' }) };
  return [
    { name: `page-${index}`, path, query },
    { name: `next-${index}`, path, query: { ...query, continue: `{continue:page-${index}}` } },
  ];
}

function watchOf(
  name: string,
  { query, ...open }: WatchStep['watch'],
  during: readonly Step[] = [],
): WatchStep {
  // The number of events is unknown: after the last step a watch is read for a moment.
  return { name, watch: { ...open, query: { ...query, watch: '1' } }, during, events: 0 };
}
