import { collectDefaultMetrics, Registry } from 'prom-client';

/** Figures of the process, which the library keeps from now on. */
export function openProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
