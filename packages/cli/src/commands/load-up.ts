import { flushCompileCache } from 'node:module';
import type { LoadedUp } from './up-start.ts';

/** Node writes hundreds of files then, where a start did not find them. */
const KEEP_AFTER_MS = 10_000;

/** As modules. In a bundle, `load-kept-up.ts` takes the place of this file. */
export async function loadUp(): Promise<LoadedUp> {
  const { runUp } = await import('./up-run.ts');
  return { runUp, keepCode: flushCompileCache, keepCodeAfterMs: KEEP_AFTER_MS };
}
