/** The serving pair and its CA are replaced by `tributary pki renew`, and no reader notices. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createAuthority, eventually, runSource } from '../../test/harness/index.ts';
import { keepConnection } from '../core/reused-connection.ts';
import {
  apiServicePath,
  askFront,
  certificatesOf,
  flundersPath,
  must,
  servedCertificate,
  untilAvailable,
  VERSIONS,
  within,
} from './ask.ts';
import { GROUP, type Site } from './site.ts';

const CLI = join(import.meta.dirname, '../../packages/cli/src/main.ts');
const READERS = 3;
const POLL_MS = 20;
/** In each state of the certificates. */
const READS_MIN = READERS * 8;
/** Servers that are not told by the system look at their files once a minute. */
const SERVED_MS = 120_000;
/** Within which a bundle counts for new connections; upstream looks again every half a minute where nothing is said. */
const TRUSTED_MS = 90_000;

export async function rotatesCertificates(site: Site): Promise<void> {
  const before = await served(site);
  const reading = readAll(site);
  try {
    await renew(site);
    const renewed = await untilServed(site, before);
    await reading.more();
    await renew(site, 'bundle');
    await putBundle(site);
    await renew(site, 'leaf');
    await untilServed(site, renewed);
    await reading.more();
    await renew(site, 'drop');
    await putBundle(site);
    await reading.more();
    assert.deepEqual(await reading.stop(), []);
    await mindsBundles(site);
  } finally {
    await reading.stop();
  }
}

/**
 * With the bundle of a stranger nothing is answered: so the right one did count. Not with the bundle of before: the
 * original may still have a connection that it made under that one.
 */
async function mindsBundles(site: Site): Promise<void> {
  const current = await bundleOf(site);
  await patchBundles(site, Buffer.from(createAuthority('stranger').cert).toString('base64'));
  await within(TRUSTED_MS, async () => {
    assert.equal((await askFront(site, flundersPath('default'))).status, 503);
  });
  await patchBundles(site, current);
  await untilAvailable(site, { status: 'True', withinMs: TRUSTED_MS });
  await must(askFront(site, flundersPath('default')));
}

type Step = 'bundle' | 'leaf' | 'drop';

async function renew(site: Site, step?: Step): Promise<void> {
  const words = ['pki', 'renew', '--server', GROUP, ...(step ? ['--ca', '--step', step] : [])];
  const { command, args } = runSource(CLI, words);
  await promisify(execFile)(command, args, { cwd: site.backend.directory });
  if (step === undefined || step === 'leaf') await site.backend.publishCertificate();
}

async function putBundle(site: Site): Promise<void> {
  await patchBundles(site, await bundleOf(site));
  await untilAvailable(site, { status: 'True', withinMs: TRUSTED_MS });
}

async function bundleOf(site: Site): Promise<string> {
  return (await readFile(join(certificatesOf(site), 'ca-bundle.txt'), 'utf8')).trim();
}

async function patchBundles(site: Site, caBundle: string): Promise<void> {
  for (const version of VERSIONS) {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = { spec: { caBundle } };
    await must(askFront(site, apiServicePath(version), { method: 'PATCH', headers, body }));
  }
}

async function served(site: Site): Promise<string> {
  const ca = await readFile(join(certificatesOf(site), 'ca.crt'), 'utf8');
  return servedCertificate({ url: site.backend.url(), ca, service: site.service });
}

/** A new certificate of the CA that is trusted now. */
async function untilServed(site: Site, before: string): Promise<string> {
  let now = before;
  await within(SERVED_MS, async () => {
    now = await served(site);
    assert.notEqual(now, before);
  });
  return now;
}

interface Reading {
  /** Resolves when many more requests are answered. */
  more(): Promise<void>;
  /** Gives what failed. Twice gives the same. */
  stop(): Promise<string[]>;
}

/** One request after the other, by several clients, each over one connection to the control plane. */
function readAll({ front }: Site): Reading {
  const stopped = new AbortController();
  const failures: string[] = [];
  let responses = 0;
  const read = async (path: string): Promise<void> => {
    const send = keepConnection({ url: front.url, ca: front.ca, credential: front.admin });
    const call = { method: 'GET', url: path, headers: {}, body: undefined } as const;
    while (!stopped.signal.aborted) {
      const failure = await send({ ...call, protocol: 'h2', as: 'admin' }).then(
        ({ status, body }) => (status === 200 ? undefined : `${status} ${body}`),
        (error: unknown) => String(error),
      );
      if (failure !== undefined) failures.push(failure);
      responses += 1;
      await sleep(POLL_MS);
    }
  };
  const running = Promise.all(
    Array.from({ length: READERS }, (_, index) =>
      read(flundersPath('default', VERSIONS[index % VERSIONS.length])),
    ),
  );
  return {
    more: async () => {
      const enough = responses + READS_MIN;
      await eventually('requests are answered', () => responses >= enough);
    },
    stop: async () => {
      stopped.abort();
      await running;
      return failures;
    },
  };
}
