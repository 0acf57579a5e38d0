/** The resources of a server, by its life: every life begins with little, so lives are compared with each other. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFigures {
  readonly rssMegabytes: number;
  readonly fileDescriptors: number;
}

/** The end of a life, or of a minute of a long one. */
export interface LifeFigures extends ProcessFigures {
  readonly atSeconds: number;
  /** How long it had lived. */
  readonly ageSeconds: number;
}

/** As the kernel counts them; undefined for a process that is gone, and where there is no /proc. */
export function figuresOf(pid: number): ProcessFigures | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    const fileDescriptors = readdirSync(`/proc/${pid}/fd`).length;
    return { rssMegabytes: Math.round(kilobytes / 1024), fileDescriptors };
  } catch {
    return undefined;
  }
}

export interface GrowthViolation {
  readonly rule: 'memory-grows' | 'descriptors-grow';
  readonly detail: string;
}

/** Fewer lives have no trend. */
const LIVES_MIN = 6;
/** The store grows a little over a run, and the collector of garbage comes when it likes. */
const MEMORY_FACTOR_MAX = 1.35;
const MEMORY_MEGABYTES_FREE = 40;
const DESCRIPTORS_FACTOR_MAX = 1.5;
const DESCRIPTORS_FREE = 20;

/**
 * `memory-grows`, `descriptors-grow`: the last third of all lives ends with clearly more than the first third. Medians,
 * so that one life with a full queue is no trend.
 */
export function checkGrowth(name: string, lives: readonly LifeFigures[]): GrowthViolation[] {
  if (lives.length < LIVES_MIN) return [];
  const third = Math.floor(lives.length / 3);
  const first = lives.slice(0, third);
  const last = lives.slice(-third);
  const violations: GrowthViolation[] = [];
  const compare = (
    rule: GrowthViolation['rule'],
    { of, bound }: { of: (life: LifeFigures) => number; bound: (before: number) => number },
  ): void => {
    const [before, after] = [median(first.map(of)), median(last.map(of))];
    if (after > bound(before)) {
      violations.push({ rule, detail: `${name}: ${before} at first, ${after} in the end` });
    }
  };
  compare('memory-grows', {
    of: ({ rssMegabytes }) => rssMegabytes,
    bound: (before) => before * MEMORY_FACTOR_MAX + MEMORY_MEGABYTES_FREE,
  });
  compare('descriptors-grow', {
    of: ({ fileDescriptors }) => fileDescriptors,
    bound: (before) => before * DESCRIPTORS_FACTOR_MAX + DESCRIPTORS_FREE,
  });
  return violations;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
