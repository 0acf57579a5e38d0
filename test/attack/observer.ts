/** Another user, who goes on as if nothing happened, and the memory of the server meanwhile. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFlags } from '../../packages/server/launcher.js';
import { defer, type TestScope } from '../harness/index.ts';
import type { Observation, ObserverSettings } from './observer-program.ts';
import { asAdmin, OTHERS, type Site } from './site.ts';

const PROGRAM = join(import.meta.dirname, 'observer-program.ts');
const MEMORY_EVERY_MS = 100;

export interface Observer {
  /** The observations since the last call, and the peak memory. */
  take(): Promise<Observation & { readonly peakMiB: number }>;
}

export async function startObserver(scope: TestScope, site: Site): Promise<Observer> {
  const list = site.resource.path.replace('{ns}', OTHERS);
  const body = site.resource.body('observed', 500);
  await asAdmin(site, 'POST', list, body);
  const child = fork(PROGRAM, { execArgv: [...sourceFlags()], serialization: 'json' });
  defer(scope, async () => {
    child.disconnect();
    await once(child, 'exit');
  });
  const { url, ca, admin } = site;
  const settings: ObserverSettings = { url, ca, ...admin, list, object: `${list}/observed`, body };
  child.send(settings);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMiB(site.pids));
  }, MEMORY_EVERY_MS);
  defer(scope, () => clearInterval(timer));
  return {
    async take() {
      const responded = once(child, 'message');
      child.send('take');
      const [observation] = (await responded) as [Observation];
      const peakMiB = Math.max(peak, residentMiB(site.pids));
      peak = 0;
      return { ...observation, peakMiB };
    },
  };
}

/** Of the largest server: each has the bound for itself. */
function residentMiB(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0);
    } catch {
      return 0; // It has ended, or the machine has no /proc.
    }
  });
  return Math.round(Math.max(0, ...kilobytes) / 1024);
}
