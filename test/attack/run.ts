/** All attacks in turn, with what others felt during each. */
import { SeededRandom, type TestScope } from '../harness/index.ts';
import type { Attack, AttackResult } from './attack.ts';
import { type EvilServers, startEvilServers } from './evil-servers.ts';
import { type Observer, startObserver } from './observer.ts';
import type { Observation } from './observer-program.ts';
import { type Site, type SiteKind, startSite } from './site.ts';

export interface RunOptions {
  readonly against: SiteKind;
  readonly attacks: readonly Attack[];
  readonly seconds: number;
  readonly seed: number;
  readonly withKnown: boolean;
  readonly onProgress: (line: string) => void;
}

export interface Row extends AttackResult {
  readonly name: string;
  readonly seconds: number;
  readonly felt: Observation & { readonly peakMiB: number };
}

export interface Run {
  readonly rows: readonly Row[];
  /** The observations before the first attack, and after the last one. */
  readonly quiet: Row['felt'];
  readonly after: Row['felt'] | undefined;
  /** How the server ended by itself; it must not. */
  readonly ended: string | undefined;
}

const QUIET_PART = 0.1;
const QUIET_SECONDS_MIN = 2;

export async function runAttacks(scope: TestScope, options: RunOptions): Promise<Run> {
  const { against, attacks, seconds, onProgress } = options;
  const authority = against === 'up' ? await startEvilServers(scope) : undefined;
  const site = await startSite(scope, against, authority?.flags ?? []);
  const evil = authority ?? (site.isAggregator ? await startEvilServers(scope) : undefined);
  if (evil !== undefined) await evil.register(site);
  const observer = await startObserver(scope, site);
  const quietSeconds = Math.max(QUIET_SECONDS_MIN, seconds * QUIET_PART);
  onProgress(`${site.kind} at ${site.url}; ${quietSeconds.toFixed(0)} s without an attack first`);
  await pause(quietSeconds * 1000);
  await observer.take(); // The first requests open connections.
  await pause(quietSeconds * 1000);
  const quiet = await observer.take();
  const usable = attacks.filter(({ needs }) => isPossible(needs, site));
  const weights = usable.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const rows: Row[] = [];
  for (const attack of usable) {
    const row = await runOne(attack, {
      site,
      evil,
      observer,
      scope,
      options,
      share: (seconds * (attack.weight ?? 1)) / weights,
    });
    rows.push(row);
    onProgress(describeRow(row));
    if (site.hasEnded()) break;
  }
  const ended = site.hasEnded() ? await site.ended : undefined;
  const after = ended === undefined ? await afterwards(observer) : undefined;
  return { rows, quiet, after, ended };
}

interface Means {
  readonly site: Site;
  readonly evil: EvilServers | undefined;
  readonly observer: Observer;
  readonly scope: TestScope;
  readonly options: RunOptions;
  /** Seconds for this attack. */
  readonly share: number;
}

async function runOne(attack: Attack, means: Means): Promise<Row> {
  const { site, evil, observer, scope, options, share } = means;
  const started = performance.now();
  const over = AbortSignal.timeout(Math.round(share * 1000));
  const context = {
    site,
    evil,
    scope,
    random: new SeededRandom(options.seed),
    withKnown: options.withKnown,
    hasTime: () => !over.aborted && !site.hasEnded(),
  };
  let result: AttackResult;
  try {
    result = await attack.run(context);
  } catch (error) {
    result = {
      sent: 0,
      findings: [`the attack failed: ${error instanceof Error ? error.stack : error}`],
    };
  }
  const felt = await observer.take();
  return { ...result, name: attack.name, seconds: (performance.now() - started) / 1000, felt };
}

function isPossible(needs: Attack['needs'], { isCore, isAggregator }: Site): boolean {
  if (needs === 'core') return isCore;
  return needs !== 'backends' || isAggregator;
}

function describeRow({ name, sent, findings, felt, seconds }: Row): string {
  const others = failuresOf(felt).length;
  return `${name}: ${sent} sent in ${seconds.toFixed(1)} s, ${findings.length} findings, ${others} failures of others`;
}

export function failuresOf({ liveness, get, write }: Observation): readonly string[] {
  return [liveness, get, write].flatMap(({ failures }) => failures);
}

async function afterwards(observer: Observer): Promise<Row['felt']> {
  await observer.take();
  await pause(QUIET_SECONDS_MIN * 1000);
  return observer.take();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
