import type { TestContext } from 'node:test';
import type { Storage } from '../contract/storage.ts';
import type { Random } from './random.ts';

/** The arguments of a contract test: a new, empty store and its settings. */
export interface Subject {
  readonly t: TestContext;
  readonly storage: Storage;
  readonly random: Random;
  /** 1 is the full size: 100,000 objects. Smaller is quicker and proves less. */
  readonly scale: number;
  /** The maximum wait for an event before the test fails. */
  readonly waitMs: number;
}

export interface ContractTest {
  readonly name: string;
  readonly run: (subject: Subject) => Promise<void>;
}

/** A count in proportion to the scale, with a minimum. */
export function scaled({ scale }: Subject, full: number, least: number): number {
  return Math.max(least, Math.round(full * scale));
}
