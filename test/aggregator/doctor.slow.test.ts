/** Faults of every hop: the doctor names the hop, and what it prints to be pasted repairs it. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { doctor } from '../../packages/doctor/src/diagnosis/doctor.ts';
import {
  type Diagnosis,
  HOPS,
  type Hop,
  type Problem,
} from '../../packages/doctor/src/report/diagnosis.ts';
import { fixText } from '../../packages/doctor/src/report/report.ts';
import {
  anyKubectl,
  createScope,
  eventually,
  skipOrFail,
  temporaryDirectory,
} from '../harness/index.ts';
import { certificateFaults } from './doctor-certificate-faults.ts';
import type { Injected } from './doctor-fault.ts';
import { flags, type Kit, NAME, placeOf, resetPki, startKit, tributary } from './doctor-kit.ts';
import { responseFaults } from './doctor-response-faults.ts';
import { routeFaults } from './doctor-route-faults.ts';
import { NAMESPACE, startWardle } from './gateway-program.ts';

/** Refusals are remembered for ten seconds by servers that ask the core. */
const AGAIN = { withinMs: 40_000, everyMs: 200 };

const faults = [...routeFaults, ...certificateFaults, ...responseFaults];
const kubectl = await anyKubectl();

describe('the doctor', () => {
  const scope = createScope('the doctor');
  let kit: Kit;
  before(async () => {
    if (kubectl !== undefined) kit = await startKit(scope, kubectl);
  });
  after(() => scope.close());

  test('kubectl is there', (t) => {
    if (kubectl === undefined) skipOrFail(t, 'kubectl');
  });
  if (kubectl === undefined) return;

  test('reports a healthy APIService', async () => {
    await resetPki(kit);
    await kit.register({ port: kit.wardle.port });
    const { problem, hops } = await untilHealthy(kit, NAME);
    assert.equal(problem, undefined);
    const bad = hops.filter(({ status }) => status !== 'passed' && status !== 'skipped');
    assert.deepEqual(bad, []);
    const { code, stdout } = await tributary(kit, ['doctor', ...flags(kit)]);
    assert.equal(code, 0);
    assert.equal(stdout, `${NAME}: healthy\n`);
  });

  for (const fault of faults) {
    test(`${fault.hop}: ${fault.name}`, async () => {
      await resetPki(kit);
      const injected = await fault.inject(kit);
      const examined = fault.examined ?? NAME;
      const found = fault.isCommand
        ? await byCommand(kit, examined)
        : await diagnose(kit, examined);
      const { problem } = found;
      assert.equal(problem?.hop, fault.hop, JSON.stringify(found, undefined, 1));
      assert.match(problem.message, fault.seen);
      const later = found.hops.slice(found.hops.findIndex(({ hop }) => hop === fault.hop) + 1);
      assert.ok(later.every(({ status }) => status === 'not-run'));
      await apply(kit, problem, injected);
      await untilHealthy(kit, fault.changesName ? undefined : examined);
    });
  }

  test('every hop but those that have a test of their own has a fault', () => {
    const own: readonly Hop[] = ['headers', 'authorization', 'condition'];
    const missing = HOPS.filter(
      (hop) => !own.includes(hop) && !faults.some((one) => one.hop === hop),
    );
    assert.deepEqual(missing, []);
  });

  test('headers, then authorization: an account without its two roles', async () => {
    await resetPki(kit);
    const directory = await temporaryDirectory(scope, 'account-');
    const kubeconfig = join(directory, 'kubeconfig');
    const account = `${NAMESPACE}/default`;
    const of = ['--data-dir', dirname(kit.gateway.kubeconfig), '--service-account', account];
    const { code, stderr } = await tributary(kit, ['kubeconfig', ...of, '--output', kubeconfig]);
    assert.equal(code, 0, stderr);
    const { authority, gateway } = kit;
    const poor = await startWardle(scope, { ...gateway, kubeconfig }, { name: 'poor', authority });
    await kit.register({ port: poor.port });

    const first = (await diagnose(kit, NAME)).problem;
    assert.equal(first?.hop, 'headers', JSON.stringify(first));
    assert.match(
      first.message,
      /system:serviceaccount:wardle:default is not allowed to read the ConfigMap kube-system\/extension-apiserver-authentication/,
    );
    // It reads whom to believe as soon as it may: a restart would be quicker, but is not needed.
    await apply(kit, first, { server: async () => undefined });
    const second = await untilProblem(kit, 'authorization');
    assert.match(
      second.message,
      /system:serviceaccount:wardle:default is not allowed to create subjectaccessreviews/,
    );
    await apply(kit, second, {});
    await untilHealthy(kit, NAME);
  });

  test('exits with 2 and the reason when the cluster does not respond', async () => {
    const nobody = join(kit.dataDir, 'nobody.kubeconfig');
    const text = await readFile(kit.gateway.kubeconfig, 'utf8');
    await writeFile(nobody, text.replace(/https:\/\/[^\s"]+/, 'https://127.0.0.1:1'));
    const { code, stderr } = await tributary(kit, ['doctor', '--kubeconfig', nobody]);
    assert.equal(code, 2);
    assert.match(stderr, /does not respond: .*ECONNREFUSED/);
  });

  test('sends requests through the aggregator without the front-proxy client certificate', async () => {
    await kit.register({ port: kit.wardle.port });
    await untilHealthy(kit, NAME);
    const { gateway, dataDir } = kit;
    const { text, exitCode } = await doctor({
      name: NAME,
      kubeconfig: gateway.kubeconfig,
      dataDir,
      isDataDirSet: false,
      output: 'text',
    });
    assert.equal(exitCode, 0, text);
    assert.match(
      text,
      /\? client certificate +the front-proxy client certificate is not on this machine/,
    );
    assert.match(text, /✓ discovery/);
  });
});

interface Report {
  readonly diagnoses: readonly Diagnosis[];
}

async function diagnose(kit: Kit, name: string): Promise<Diagnosis> {
  const [diagnosis] = await diagnoseAll(kit, name);
  assert.ok(diagnosis);
  return diagnosis;
}

async function diagnoseAll(
  { gateway, dataDir }: Kit,
  name?: string,
): Promise<readonly Diagnosis[]> {
  const { text } = await doctor({
    ...(name !== undefined && { name }),
    kubeconfig: gateway.kubeconfig,
    dataDir,
    isDataDirSet: true,
    output: 'json',
  });
  return (JSON.parse(text) as Report).diagnoses;
}

/** Runs it for its text, then for its JSON. */
async function byCommand(kit: Kit, name: string): Promise<Diagnosis> {
  const shown = await tributary(kit, ['doctor', name, ...flags(kit)]);
  assert.equal(shown.code, 1, shown.stdout + shown.stderr);
  const { code, stdout } = await tributary(kit, ['doctor', name, ...flags(kit), '-o', 'json']);
  assert.equal(code, 1);
  const [diagnosis] = (JSON.parse(stdout) as Report).diagnoses;
  assert.ok(diagnosis?.problem);
  assert.match(shown.stdout, /^ {2}✗ /m);
  assert.ok(shown.stdout.includes(diagnosis.problem.message), shown.stdout);
  const { kubeconfig } = kit.gateway;
  for (const fix of diagnosis.problem.fixes) {
    const [first = ''] = fixText(fix, placeOf(kit, kubeconfig)).split('\n');
    assert.ok(shown.stdout.includes(first), shown.stdout);
  }
  return diagnosis;
}

async function untilHealthy(kit: Kit, name?: string): Promise<Diagnosis> {
  let diagnoses: readonly Diagnosis[] = [];
  return eventually(
    () => `all are healthy: ${JSON.stringify(diagnoses, undefined, 1)}`,
    async () => {
      diagnoses = await diagnoseAll(kit, name);
      const [first] = diagnoses;
      assert.ok(first);
      return diagnoses.every(({ status }) => status === 'healthy') && first;
    },
    AGAIN,
  );
}

async function untilProblem(kit: Kit, hop: Hop): Promise<Problem> {
  let problem: Problem | undefined;
  return eventually(
    () => `a problem of ${hop} instead of ${JSON.stringify(problem)}`,
    async () => {
      ({ problem } = await diagnose(kit, NAME));
      return problem?.hop === hop && problem;
    },
    AGAIN,
  );
}

/** Pastes what is printed, with the blanks filled in; what is asked of the program is done to it. */
async function apply(kit: Kit, { fixes }: Problem, injected: Injected): Promise<void> {
  for (const fix of fixes) {
    if (fix.kind === 'server') {
      assert.ok(injected.server, `nobody does this: ${fix.text}`);
      await injected.server(fix);
      continue;
    }
    let text = fixText(fix, placeOf(kit, kit.gateway.kubeconfig));
    for (const word of Object.keys('blanks' in fix ? (fix.blanks ?? {}) : {})) {
      const value = injected.blanks?.[word];
      assert.ok(value !== undefined, `nobody knows ${word}: ${text}`);
      text = text.replaceAll(word, value);
    }
    await kit.sh(text);
  }
}
