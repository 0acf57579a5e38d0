import { flushCompileCache } from 'node:module';
import type { LoadedUp } from './up-start.ts';

/** As modules. In a bundle, `load-kept-up.ts` takes the place of this file. */
export async function loadUp(): Promise<LoadedUp> {
  const { runUp } = await import('./up-run.ts');
  return { runUp, keepCode: flushCompileCache };
}
