import type { RunStandaloneOptions } from './run-standalone.ts';

/** Loaded only where somebody asks for it: a control plane starts without it. */
export async function runStandalone(options: RunStandaloneOptions): Promise<number> {
  return (await import('./run-standalone.ts')).runStandalone(options);
}
