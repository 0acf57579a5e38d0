/** A client that reads the leftovers of a namespace in a loop, with every kind of read. */
import { setTimeout as sleep } from 'node:timers/promises';
import { flundersPath, GROUP } from './registration-objects.ts';

export const TEAM = 'team';
/** How the names of objects begin that belonged to the namespace which is gone. */
export const OLD = 'old-';
export const VERSIONS: readonly string[] = ['v1alpha1', 'v1beta1'];

export type Ask = (path: string) => Promise<{ readonly status: number; readonly body: string }>;

export interface LeftoverReader {
  /** Every answer that had something of it. */
  readonly leaks: readonly string[];
  /** Responses by status code; 0 without a response. */
  readonly codes: ReadonlyMap<number, number>;
  /** After the reads that are under way. */
  stop(): Promise<void>;
}

const POLL_MS = 5;
const READS: readonly string[] = VERSIONS.flatMap((version) => [
  flundersPath(version, TEAM),
  `${flundersPath(version, TEAM)}/${OLD}0`,
  `/apis/${GROUP}/${version}/flunders?limit=500`,
]);
const WATCHES: readonly string[] = VERSIONS.map(
  (version) => `${flundersPath(version, TEAM)}?watch=true&timeoutSeconds=1`,
);

export function readLeftovers(ask: Ask): LeftoverReader {
  const leaks: string[] = [];
  const codes = new Map<number, number>();
  let isOver = false;
  const read = async (path: string): Promise<void> => {
    const nobody = { status: 0, body: '' };
    const { status, body } = await ask(path).catch(() => nobody);
    codes.set(status, (codes.get(status) ?? 0) + 1);
    // As text: a watch is many documents. A name in a refusal is the reader's own.
    const isLeak = status === 200 && new RegExp(`"name":"${OLD}`).test(body.replaceAll('\\"', '"'));
    if (isLeak) leaks.push(`${path}: ${status} ${body.slice(0, 300)}`);
  };
  const readAll = async (paths: readonly string[]): Promise<void> => {
    for (let index = 0; !isOver; index += 1) {
      await read(paths[index % paths.length] ?? '');
      await sleep(POLL_MS);
    }
  };
  const readers = [readAll(READS), readAll(READS.toReversed()), readAll(WATCHES)];
  return {
    leaks,
    codes,
    async stop() {
      isOver = true;
      await Promise.all(readers);
    },
  };
}
