import { flushCompileCache } from 'node:module';
import type { LoadedUp } from './run-up.ts';

/**
 * As modules. In a bundle, `load-bundled-up.ts` takes the place of this file.
 *
 * Code is kept at the end only: after a first start Node writes thousands of files in one go, and nobody is served for
 * up to three seconds.
 */
export async function loadUp(): Promise<LoadedUp> {
  const { runUp } = await import('./run-up.ts');
  return { runUp, keepCode: flushCompileCache, keepCodeAfterMs: undefined };
}
