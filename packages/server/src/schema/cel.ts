import { createRequire } from 'node:module';
import type * as Cel from '@tributary/cel';
import { once } from './once.ts';

/**
 * CEL, loaded with the first schema that has a rule or a Go pattern: most servers have none, and loading it takes about
 * as long as the rest of a server's start.
 */
export const cel: () => typeof Cel = once(
  () => createRequire(import.meta.url)('@tributary/cel') as typeof Cel,
);
