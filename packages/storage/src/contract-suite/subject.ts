import type { TestContext } from 'node:test';
import type { Storage } from '../contract/storage.ts';
import type { Random } from './random.ts';

/** What a test of the contract gets: a fresh, empty store and what it needs to try it. */
export interface Subject {
  readonly t: TestContext;
  readonly storage: Storage;
  readonly random: Random;
  /** 1 is the full size: 100,000 objects. Smaller is quicker and proves less. */
  readonly scale: number;
  /** How long something that must happen may take before the test fails. */
  readonly waitMs: number;
}

export interface ContractTest {
  readonly name: string;
  readonly run: (subject: Subject) => Promise<void>;
}

/** A count that shrinks with the scale, but not below what makes the test worth running. */
export function scaled({ scale }: Subject, full: number, least: number): number {
  return Math.max(least, Math.round(full * scale));
}
