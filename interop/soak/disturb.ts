/** Disturbances while clients use the servers: other writers, and kills. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Disturbance } from '../../test/faults/attack.ts';
import type { Target } from '../../test/faults/target.ts';
import type { SeededRandom } from '../../test/harness/index.ts';
import { type Kill, type KillPlan, planKills } from './kills.ts';
import type { Participants } from './prepare.ts';
import type { Register } from './register.ts';
import type { Site } from './site.ts';

export interface DisturbOptions {
  readonly site: Site;
  readonly plan: KillPlan;
  readonly participants: Participants;
  readonly register: Register;
  readonly random: SeededRandom;
  readonly quietMs: number;
  onProgress(line: string): void;
}

const PROGRESS_MS = 10_000;
/** Some servers are killed once more, while they start. */
const IN_VAIN_CHANCE = 0.2;

export function disturbing(options: DisturbOptions): Disturbance {
  const { site, plan, participants, register, random, quietMs, onProgress } = options;
  const { churn, owners, followers } = participants;
  return async ({ recorder, signal }) => {
    const startedMs = performance.now();
    const seconds = () => Math.round((performance.now() - startedMs) / 1000);
    register.born('gateway');
    const timer = setInterval(() => {
      const { acknowledged, refused, unknown } = recorder.counts;
      const { gateway, wardle } = register.kills;
      onProgress(
        `${seconds()} of ${plan.seconds} s: ${gateway} + ${wardle} kills; flunders ${acknowledged} written, ${refused} refused, ${unknown} unknown; ${churn.gone} of ${churn.doomed} namespaces gone, ${churn.counts.acknowledged} objects; ${owners.dependents.length} owned; informers ${followers.events} events; ${register.now()}`,
      );
    }, PROGRESS_MS);
    const writing = new AbortController();
    const until = AbortSignal.any([writing.signal, signal]);
    const written = Promise.all([churn.run(until), owners.run(until)]);
    written.catch(() => undefined); // It is awaited below, when the servers run again.
    try {
      const killed = (async () => {
        for (const { atSeconds, what } of planKills(plan)) {
          await sleepUntil(startedMs + atSeconds * 1000, signal);
          await kill(site[what], { what, register, random });
        }
        await sleepUntil(startedMs + plan.seconds * 1000, signal);
      })();
      await Promise.race([killed, written.then(() => killed)]);
      writing.abort();
      await written;
      const tookMs = await churn.converge(quietMs);
      onProgress(`the last namespaces were gone after ${tookMs} ms`);
    } finally {
      clearInterval(timer);
      writing.abort();
    }
    // Its last life, too, begins with what another one left.
    await kill(site.wardle, { what: 'wardle', register, random });
    register.note('gateway');
  };
}

async function kill(
  target: Target,
  { what, register, random }: { what: Kill['what']; register: Register; random: SeededRandom },
): Promise<void> {
  register.note(what);
  await target.kill();
  if (random.chance(IN_VAIN_CHANCE)) await target.startInVain(random);
  await target.start();
  register.born(what);
}

async function sleepUntil(timeMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, timeMs - performance.now()), undefined, { signal });
}
