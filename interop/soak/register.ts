/** Measurements of both servers while they live and die. */
import type { Target } from '../../test/faults/target.ts';
import type { Kill } from './kills.ts';
import { figuresOf, type LifeFigures, type ProcessFigures } from './process-figures.ts';

export interface Register {
  /** One for each life of the gateway, at its end. */
  readonly gateway: readonly LifeFigures[];
  /** One for each time that the gateway dies, whether wardle does or not. */
  readonly wardle: readonly LifeFigures[];
  readonly kills: Readonly<Record<Kill['what'], number>>;
  /** The present figures, for a line. */
  now(): string;
  /** Right before a kill. */
  note(what: Kill['what']): void;
  /** Right after it. */
  born(what: Kill['what']): void;
  /** A line for each life of the gateway. */
  lines(): string[];
}

export function createRegister(targets: Readonly<Record<Kill['what'], Target>>): Register {
  const startedMs = performance.now();
  const births = { gateway: startedMs, wardle: startedMs };
  const lives = { gateway: [] as LifeFigures[], wardle: [] as LifeFigures[] };
  const kills = { gateway: 0, wardle: 0 };
  const take = (what: Kill['what']): LifeFigures | undefined => {
    const figures = figuresOf(targets[what].pid);
    if (figures === undefined) return undefined;
    const nowMs = performance.now();
    const seconds = (sinceMs: number) => Math.round((nowMs - sinceMs) / 1000);
    return { ...figures, atSeconds: seconds(startedMs), ageSeconds: seconds(births[what]) };
  };
  return {
    ...lives,
    kills,
    now: () => {
      const one = (what: Kill['what']): string => {
        try {
          return `${what} ${describe(figuresOf(targets[what].pid))}`;
        } catch {
          return `${what} is down`; // It has no process between its lives.
        }
      };
      return `${one('gateway')}, ${one('wardle')}`;
    },
    note: (what) => {
      kills[what] += 1;
      if (what !== 'gateway') return;
      for (const each of ['gateway', 'wardle'] as const) {
        const life = take(each);
        if (life) lives[each].push(life);
      }
    },
    born: (what) => {
      births[what] = performance.now();
    },
    lines: () =>
      lives.gateway.map((life, at) => {
        const beside = lives.wardle[at];
        const wardle = beside && `; wardle ${describe(beside)} at ${beside.ageSeconds} s`;
        return `${life.atSeconds} s: tributary up ${describe(life)} at ${life.ageSeconds} s of its life${wardle ?? ''}`;
      }),
  };
}

function describe(figures: ProcessFigures | undefined): string {
  return figures === undefined
    ? 'unknown'
    : `${figures.rssMegabytes} MB, ${figures.fileDescriptors} descriptors`;
}
