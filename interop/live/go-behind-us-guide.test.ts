/** Runs docs/guides/go-server-behind-us.md as a reader does, at ports that are free here. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  anyKubectl,
  defer,
  freePort,
  missingMessage,
  requireProgram,
  runSource,
  skipOrFail,
  temporaryDirectory,
} from '../../test/harness/index.ts';
import { npxTributary, walk } from '../../test/walkthrough.ts';
import { type PeerName, requirePeer } from '../peers/peers.ts';

const root = join(import.meta.dirname, '../..');
/** Of the page: what the sample, etcd, and etcd for other members listen at. */
const PORTS = ['7443', '2379', '2380'];

test('the commands of the guide work, one after the other', async (t) => {
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  if ((await requireProgram(t, 'go')) === undefined) return;
  let page = await readFile(join(root, 'docs/guides/go-server-behind-us.md'), 'utf8');
  for (const port of PORTS) page = page.replaceAll(port, String(await freePort()));
  const folder = await temporaryDirectory(t);
  defer(t, () => endAll(folder));
  const { command, args } = runSource(join(root, 'packages/cli/src/main.ts'));
  await walk(t, page, {
    folder,
    kubectl,
    programs: {
      npx: npxTributary(),
      etcd: watched('etcd'),
      'sample-apiserver': watched('sample-apiserver'),
    },
    isDone: () => false,
    server: (line) =>
      line === 'npx tributary up --sample none'
        ? { command, args: [...args, 'up', '--sample', 'none', '--secure-port=0'] }
        : undefined,
  });
});

/** With a watchdog that ends it when this process has ended, in whatever way. */
function watched(name: PeerName): string {
  const living = `kill -0 ${process.pid} && kill -0 $$`;
  const watcher = `( while ${living}; do sleep 1; done; kill -KILL $$ ) < /dev/null > /dev/null 2>&1 &`;
  return `#!/bin/sh\n${watcher}\nexec ${requirePeer(name)} "$@"\n`;
}

/** By the notes that the page makes; most have ended already. */
async function endAll(folder: string): Promise<void> {
  const notes = (await readdir(folder)).filter((name) => name.endsWith('.pid'));
  for (const note of notes) {
    const pid = Number(await readFile(join(folder, note), 'utf8'));
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
