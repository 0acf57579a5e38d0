import { createRequire } from 'node:module';
import type * as Cel from '@tributary/cel';
import { once } from './once.ts';

/**
 * CEL, loaded when a first schema has a rule or a pattern of Go: most servers have none, and to load it takes about as long
 * as everything else that a server does when it starts.
 */
export const cel: () => typeof Cel = once(
  () => createRequire(import.meta.url)('@tributary/cel') as typeof Cel,
);
