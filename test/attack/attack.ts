/** The inputs and the result of an attack. */
import type { SeededRandom, TestScope } from '../harness/index.ts';
import type { EvilServers } from './evil-servers.ts';
import type { Site } from './site.ts';

export interface AttackContext {
  readonly site: Site;
  /** Backends and webhooks of the attacker; absent where the server has no place for them. */
  readonly evil: EvilServers | undefined;
  readonly random: SeededRandom;
  readonly scope: TestScope;
  /** Whether there is time for another round. */
  readonly hasTime: () => boolean;
  /** Includes what is known to break the server. */
  readonly withKnown: boolean;
}

export interface AttackResult {
  /** Requests, connections or frames that were sent. */
  readonly sent: number;
  /** Violations, one line each. */
  readonly findings: readonly string[];
}

export interface Attack {
  readonly name: string;
  /** The work done, in a line. */
  readonly summary: string;
  /** `core`: the server has the kinds of a control plane; `backends`: it is an aggregator, too. */
  readonly needs?: 'core' | 'backends';
  /** How much more time than others it gets. */
  readonly weight?: number;
  run(context: AttackContext): Promise<AttackResult>;
}

const FINDINGS_MAX = 20;

/** Keeps the first findings of each kind, so that one defect does not hide the others. */
export class Findings {
  readonly #lines = new Map<string, number>();

  add(line: string): void {
    this.#lines.set(line, (this.#lines.get(line) ?? 0) + 1);
  }

  get lines(): string[] {
    const all = [...this.#lines].map(([line, count]) =>
      count > 1 ? `${line} (${count} times)` : line,
    );
    const rest = all.length - FINDINGS_MAX;
    return rest > 0 ? [...all.slice(0, FINDINGS_MAX), `and ${rest} more`] : all;
  }
}
