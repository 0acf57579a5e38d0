/** Runs docs/guides/behind-a-real-cluster.md as a reader does, where the test is the cluster's only node. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  anyKubectl,
  missingMessage,
  requireProgram,
  skipOrFail,
  temporaryDirectory,
} from '../../test/harness/index.ts';
import { npxTributary, walk } from '../../test/walkthrough.ts';
import { servedCertificate, within } from '../behind/ask.ts';
import type { Pod } from '../behind/pod.ts';
import { PLACE, startOriginal, startWardlePod } from '../behind/wardle-behind-original.ts';

const root = join(import.meta.dirname, '../..');
const SERVED_MS = 120_000;

test('the commands of the guide work, one after the other', async (t) => {
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  if ((await requireProgram(t, 'go')) === undefined) return;
  const front = await startOriginal(t);
  const page = await readFile(join(root, 'docs/guides/behind-a-real-cluster.md'), 'utf8');
  const folder = await temporaryDirectory(t);
  process.env.KUBECONFIG = front.kubeconfig; // The reader's home directory; this file is a process of its own.
  const chapters = page.split(/^(?=## )/m);
  assert.ok(chapters.length >= 10);
  let pod: Pod | undefined;
  for (const chapter of chapters) {
    await walk(t, chapter, {
      folder,
      kubectl,
      programs: { npx: npxTributary() },
      isDone: () => false,
      server: () => undefined,
    });
    // Plays the node while the guide goes on.
    if (chapter.startsWith('## Install it')) pod = await startWardlePod(t, { front, kubectl });
    else if (chapter.includes('tributary pki renew')) await catchUp(pod, folder);
  }
});

async function catchUp(pod: Pod | undefined, folder: string): Promise<void> {
  assert.ok(pod);
  await pod.refreshVolumes();
  const directory = join(folder, '.tributary/pki/servers/wardle.example.com');
  const wanted = new X509Certificate(await readFile(join(directory, 'tls.crt'), 'utf8'));
  const ca = await readFile(join(directory, 'ca.crt'), 'utf8');
  await within(SERVED_MS, async () => {
    const served = await servedCertificate({ url: pod.url(), ca, service: PLACE });
    assert.equal(served, wanted.fingerprint256);
  });
}
