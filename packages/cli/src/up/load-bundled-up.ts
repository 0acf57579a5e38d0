import { loadCached } from '../code-cache/script-cache.ts';
import type { LoadedUp } from './run-up.ts';

/** Where the bundler has put `up-run.ts` and everything that it needs. */
declare const SCRIPT_FILE: string;
/** Of that file. */
declare const SCRIPT_HASH: string;

/** A server has run by then whatever it runs in every start, and is not at rest yet. */
const KEEP_AFTER_MS = 2_000;

/** As a script with the code that an earlier start has compiled. */
export async function loadUp(): Promise<LoadedUp> {
  const { exports, keep } = loadCached(new URL(SCRIPT_FILE, import.meta.url), SCRIPT_HASH);
  const { runUp } = exports as Pick<LoadedUp, 'runUp'>;
  return { runUp, keepCode: keep, keepCodeAfterMs: KEEP_AFTER_MS };
}
