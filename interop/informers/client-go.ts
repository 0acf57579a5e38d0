/** The shared informer of client-go, in the program informer-checker. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { defer, type TestScope, writeKubeconfig } from '../../test/harness/index.ts';
import { ALL_WAYS } from '../../test/informers/cutting-proxy.ts';
import { FLUNDERS } from '../../test/informers/flunders.ts';
import type { Access, Follower, FollowerKind } from '../../test/informers/follower.ts';
import type { InformerEvent, Item } from '../../test/informers/history.ts';
import { requirePeer } from '../peers/peers.ts';
import { type CheckerLine, parseLine } from './checker-line.ts';

export interface ClientGoOptions {
  readonly watchList: boolean;
  readonly metadataOnly?: boolean;
}

const STORE_TIMEOUT_MS = 60_000;
/** Of what client-go says about its troubles, for the log of a failed test. */
const STDERR_CHARACTERS_MAX = 20_000;

export function clientGoInformer(options: ClientGoOptions): FollowerKind {
  return { start: (t, access) => startInformer(t, access, options), ways: ALL_WAYS };
}

async function startInformer(
  t: TestScope,
  { url, ca, user }: Access,
  { watchList, metadataOnly = false }: ClientGoOptions,
): Promise<Follower> {
  const { group, version, plural } = FLUNDERS;
  const checker = startChecker(t, [
    `--kubeconfig=${await writeKubeconfig(t, { server: url, ca, user })}`,
    `--resource=${group}/${version}/${plural}`,
    `--watch-list=${watchList}`,
    `--metadata-only=${metadataOnly}`,
    '-v=4', // Its log is shown when the test fails.
  ]);
  return follow(checker, { watchList, metadataOnly });
}

interface Checker {
  /** Calls for every line until the program ends. */
  onLine(call: (line: CheckerLine) => void): void;
  command(command: 'store' | 'quit'): void;
  readonly exited: Promise<string>;
}

function follow(checker: Checker, options: Required<ClientGoOptions>): Follower {
  const { watchList, metadataOnly } = options;
  const what = `${watchList ? 'watch list' : 'list and watch'}${metadataOnly ? ', metadata' : ''}`;
  const events: InformerEvent[] = [];
  const complaints: string[] = [];
  const stores: PromiseWithResolvers<Item[]>[] = [];
  const synced = Promise.withResolvers<void>();
  let beginnings = 0;
  let initialEvents = 0;
  checker.onLine((line) => {
    switch (line.event) {
      case 'add':
      case 'update':
      case 'delete':
        events.push({ ...line.object, kind: line.event });
        break;
      case 'complaint':
        complaints.push(line.text);
        break;
      case 'request':
        if (line.begins) beginnings += 1;
        if (line.sendInitialEvents) initialEvents += 1;
        break;
      case 'started':
        if (line.watchList !== watchList) complaints.push(`its gate is ${line.watchList}`);
        break;
      case 'synced':
        if (initialEvents > 0 !== watchList) {
          complaints.push(`${initialEvents} of ${beginnings} beginnings were watches`);
        }
        synced.resolve();
        break;
      case 'store':
        stores.shift()?.resolve(line.items);
        break;
    }
  });
  const gone = checker.exited.then((how) => Promise.reject(new Error(`client-go ${what} ${how}`)));
  gone.catch(() => undefined); // Only for those who wait for something.
  return {
    name: `client-go, ${what}`,
    part: metadataOnly ? 'metadata' : 'whole',
    events,
    get beginnings() {
      return beginnings;
    },
    replacesByUpdate: true,
    complaints,
    whenSynced: () => Promise.race([synced.promise, gone]),
    store: () => {
      const response = Promise.withResolvers<Item[]>();
      stores.push(response);
      checker.command('store');
      return Promise.race([response.promise, gone, late(response.promise)]);
    },
  };
}

/** The program ends when its input does, so that it never outlives this process. */
function startChecker(t: TestScope, args: readonly string[]): Checker {
  const child = spawn(requirePeer('informer-checker'), args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let trouble = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    trouble = (trouble + chunk).slice(-STDERR_CHARACTERS_MAX);
  });
  child.stdin.on('error', () => undefined); // It has ended, which `exited` tells.
  const exited = once(child, 'exit').then(([code, signal]) => `ended (${code ?? signal})`);
  defer(t, async ({ failed }) => {
    await end(child, child.stdin);
    if (failed) process.stderr.write(`--- informer-checker ${args.join(' ')}\n${trouble}---\n`);
  });
  const lines = createInterface(child.stdout);
  return {
    onLine: (call) => void lines.on('line', (line) => call(parseLine(line))),
    command: (command) => void child.stdin.write(`${command}\n`),
    exited,
  };
}

const GRACE_MS = 5000;

async function end(child: ChildProcess, input: Writable): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  input.end('quit\n');
  await exited;
  clearTimeout(timer);
}

async function late(response: Promise<unknown>): Promise<never> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    timeout.reject(new Error(`informer-checker gave no store within ${STORE_TIMEOUT_MS} ms`));
  }, STORE_TIMEOUT_MS);
  response.then(
    () => clearTimeout(timer),
    () => clearTimeout(timer),
  );
  return timeout.promise;
}
