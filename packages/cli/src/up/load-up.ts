import { flushCompileCache } from 'node:module';
import type { LoadedUp } from './run-up.ts';

/**
 * Loads the program as modules. In a bundle, `load-bundled-up.ts` takes the place of this file. Compiled code is
 * written at the end only: after a first start Node writes thousands of files in one go, and no request is served for
 * up to three seconds.
 */
export async function loadUp(): Promise<LoadedUp> {
  const { runUp } = await import('./run-up.ts');
  return { runUp, keepCode: flushCompileCache, keepCodeAfterMs: undefined };
}
