/** The Go sample-apiserver behind the aggregator of `tributary up`, installed by what the guide says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AuditLog, auditLog } from '../../test/aggregator/fault-audit.ts';
import {
  freePort,
  type Kubectl,
  runSource,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
} from '../../test/harness/index.ts';
import { blocksOf } from '../../test/walkthrough.ts';
import { startEtcdAlone } from '../stack.ts';
import { untilAvailable } from './ask.ts';
import { startUp } from './go-behind-us-front.ts';
import { type Sample, startSample } from './go-behind-us-sample.ts';
import { type Front, GROUP, type Site } from './site.ts';

const root = join(import.meta.dirname, '../..');
const GUIDE = join(root, 'docs/guides/go-server-behind-us.md');
/** Of the guide's manifest. */
const SERVICE = { namespace: 'wardle', name: 'api' } as const;
const ACCOUNT = 'apiserver';
const PORT = '7443';
const ENDPOINT = '{ addresses: [127.0.0.1] }';
const PAIR = ['tls.crt', 'tls.key'];
const AVAILABLE_MS = 90_000;

export interface Replicas {
  readonly site: Site;
  readonly samples: readonly Sample[];
}

export async function goSampleBehindUs(scope: TestScope, kubectl: Kubectl): Promise<Site> {
  return (await goReplicasBehindUs(scope, { kubectl, addresses: ['127.0.0.1'] })).site;
}

/** One at each address, on one store and behind one Service. The backend of the site is the first. */
export async function goReplicasBehindUs(
  scope: TestScope,
  { kubectl, addresses }: { kubectl: Kubectl; addresses: readonly string[] },
): Promise<Replicas> {
  const directory = await temporaryDirectory(scope, 'administrator-');
  const front = await startUp(scope, directory);
  const place = `${SERVICE.namespace}/${SERVICE.name}`;
  await tributary(directory, ['pki', 'init', '--server', GROUP, '--service', place]);
  const certificates = join(directory, '.tributary', 'pki', 'servers', GROUP);
  const port = await freePort();
  const caBundle = await readFile(join(certificates, 'ca-bundle.txt'), 'utf8');
  const manifest = await guideManifest({ addresses, port, caBundle });
  await run(kubectl, front, ['apply', '-f', '-'], manifest);
  const account = await accountKubeconfig(scope, kubectl, front);
  const audit = await auditLog(scope);
  const etcdUrl = await startEtcdAlone(scope);
  const serving = await temporaryDirectory(scope, 'serving-');
  // In place: Go servers lose sight of a file that another one takes the place of, for up to a minute.
  const publishCertificate = async (): Promise<void> => {
    for (const name of PAIR) await copyFile(join(certificates, name), join(serving, name));
  };
  await publishCertificate();
  const samples = await Promise.all(
    addresses.map((address, index) =>
      startSample(scope, {
        certificates: serving,
        caFile: join(certificates, 'ca.crt'),
        serverName: `${SERVICE.name}.${SERVICE.namespace}.svc`,
        etcdUrl,
        kubeconfig: account,
        address,
        port,
        flags: index === 0 ? audit.flags : [],
      }),
    ),
  );
  const [first] = samples;
  assert.ok(first);
  const site = siteOf({ front, directory, first, audit, publishCertificate });
  await untilAvailable(site, { status: 'True', withinMs: AVAILABLE_MS });
  return { site, samples };
}

function siteOf(parts: {
  readonly front: Front;
  readonly directory: string;
  readonly first: Sample;
  readonly audit: AuditLog;
  readonly publishCertificate: () => Promise<void>;
}): Site {
  const { front, first, ...rest } = parts;
  const { url, kill, start } = first;
  return {
    front,
    service: SERVICE,
    backend: { url: () => url, kill, start, ...rest },
  };
}

/** The manifest that the guide applies. */
async function guideManifest(given: {
  readonly addresses: readonly string[];
  readonly port: number;
  readonly caBundle: string;
}): Promise<string> {
  const blocks = blocksOf(await readFile(GUIDE, 'utf8'));
  const block = blocks.find((one) => one.kind === 'file' && one.name === 'wardle.yaml');
  assert.ok(block?.kind === 'file');
  const endpoints = given.addresses.map((address) => `{ addresses: [${address}] }`).join(', ');
  return block.text
    .replaceAll('CA_BUNDLE', given.caBundle.trim())
    .replaceAll(PORT, String(given.port))
    .replace(ENDPOINT, endpoints);
}

async function accountKubeconfig(
  scope: TestScope,
  kubectl: Kubectl,
  front: Front,
): Promise<string> {
  const words = ['create', 'token', ACCOUNT, '-n', SERVICE.namespace];
  const token = (await run(kubectl, front, words)).trim();
  return writeKubeconfig(scope, { server: front.url, ca: front.ca, user: { token } });
}

async function run(
  kubectl: Kubectl,
  { kubeconfig }: Front,
  words: readonly string[],
  input = '',
): Promise<string> {
  const { code, stdout, stderr } = await kubectl.run(words, { kubeconfig, input });
  assert.equal(code, 0, `kubectl ${words.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

async function tributary(cwd: string, words: readonly string[]): Promise<void> {
  const { command, args } = runSource(join(root, 'packages/cli/src/main.ts'), words);
  await promisify(execFile)(command, args, { cwd });
}
