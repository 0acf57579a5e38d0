/** Faults of every hop: the doctor names the hop, and what it prints to be pasted repairs it. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { doctor } from '../../packages/aggregator/src/doctor/doctor.ts';
import {
  type Examination,
  type Finding,
  HOPS,
  type Hop,
} from '../../packages/aggregator/src/doctor/finding.ts';
import { fixText } from '../../packages/aggregator/src/doctor/report.ts';
import {
  anyKubectl,
  createScope,
  eventually,
  skipOrFail,
  temporaryDirectory,
} from '../harness/index.ts';
import { answerFaults } from './doctor-answer-faults.ts';
import { certificateFaults } from './doctor-certificate-faults.ts';
import type { Injected } from './doctor-fault.ts';
import { flags, type Kit, NAME, placeOf, resetPki, startKit, tributary } from './doctor-kit.ts';
import { routeFaults } from './doctor-route-faults.ts';
import { NAMESPACE, startWardle } from './gateway-program.ts';

/** Refusals are remembered for ten seconds by servers that ask the core. */
const AGAIN = { withinMs: 40_000, everyMs: 200 };

const faults = [...routeFaults, ...certificateFaults, ...answerFaults];
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

  test('says of a registration that is well that it is', async () => {
    await resetPki(kit);
    await kit.register({ port: kit.wardle.port });
    const { finding, hops } = await untilWell(kit, NAME);
    assert.equal(finding, undefined);
    const bad = hops.filter(({ outcome }) => outcome !== 'well' && outcome !== 'skipped');
    assert.deepEqual(bad, []);
    const { code, stdout } = await tributary(kit, ['doctor', ...flags(kit)]);
    assert.equal(code, 0);
    assert.equal(stdout, `${NAME}: well\n`);
  });

  for (const fault of faults) {
    test(`${fault.hop}: ${fault.name}`, async () => {
      await resetPki(kit);
      const injected = await fault.inject(kit);
      const examined = fault.examined ?? NAME;
      const found = fault.isCommand ? await byCommand(kit, examined) : await examine(kit, examined);
      const { finding } = found;
      assert.equal(finding?.hop, fault.hop, JSON.stringify(found, undefined, 1));
      assert.match(finding.seen, fault.seen);
      const later = found.hops.slice(found.hops.findIndex(({ hop }) => hop === fault.hop) + 1);
      assert.ok(later.every(({ outcome }) => outcome === 'not-tried'));
      await apply(kit, finding, injected);
      await untilWell(kit, fault.changesName ? undefined : examined);
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

    const first = (await examine(kit, NAME)).finding;
    assert.equal(first?.hop, 'headers', JSON.stringify(first));
    assert.match(first.seen, /system:serviceaccount:wardle:default may not read whom to believe/);
    // It reads whom to believe as soon as it may: a restart would be quicker, but is not needed.
    await apply(kit, first, { server: async () => undefined });
    const second = await untilFinding(kit, 'authorization');
    assert.match(
      second.seen,
      /system:serviceaccount:wardle:default may not create subjectaccessreviews/,
    );
    await apply(kit, second, {});
    await untilWell(kit, NAME);
  });

  test('who cannot be asked is the code 2, and says why', async () => {
    const nobody = join(kit.dataDir, 'nobody.kubeconfig');
    const text = await readFile(kit.gateway.kubeconfig, 'utf8');
    await writeFile(nobody, text.replace(/https:\/\/[^\s"]+/, 'https://127.0.0.1:1'));
    const { code, stderr } = await tributary(kit, ['doctor', '--kubeconfig', nobody]);
    assert.equal(code, 2);
    assert.match(stderr, /cannot be asked: .*ECONNREFUSED/);
  });

  test('without the certificate of the front proxy it asks through the aggregator', async () => {
    await kit.register({ port: kit.wardle.port });
    await untilWell(kit, NAME);
    const { gateway, dataDir } = kit;
    const { text, exitCode } = await doctor({
      name: NAME,
      kubeconfig: gateway.kubeconfig,
      dataDir,
      isDataDirGiven: false,
      output: 'text',
    });
    assert.equal(exitCode, 0, text);
    assert.match(text, /\? client certificate +the certificate of the front proxy is not here/);
    assert.match(text, /✓ discovery/);
  });
});

interface Report {
  readonly examinations: readonly Examination[];
}

async function examine(kit: Kit, name: string): Promise<Examination> {
  const [examination] = await examineAll(kit, name);
  assert.ok(examination);
  return examination;
}

async function examineAll(
  { gateway, dataDir }: Kit,
  name?: string,
): Promise<readonly Examination[]> {
  const { text } = await doctor({
    ...(name !== undefined && { name }),
    kubeconfig: gateway.kubeconfig,
    dataDir,
    isDataDirGiven: true,
    output: 'json',
  });
  return (JSON.parse(text) as Report).examinations;
}

/** As a person runs it, who then asks for the same in JSON. */
async function byCommand(kit: Kit, name: string): Promise<Examination> {
  const shown = await tributary(kit, ['doctor', name, ...flags(kit)]);
  assert.equal(shown.code, 1, shown.stdout + shown.stderr);
  const { code, stdout } = await tributary(kit, ['doctor', name, ...flags(kit), '-o', 'json']);
  assert.equal(code, 1);
  const [examination] = (JSON.parse(stdout) as Report).examinations;
  assert.ok(examination?.finding);
  assert.match(shown.stdout, /^ {2}✗ /m);
  assert.ok(shown.stdout.includes(examination.finding.seen), shown.stdout);
  const { kubeconfig } = kit.gateway;
  for (const fix of examination.finding.fixes) {
    const [first = ''] = fixText(fix, placeOf(kit, kubeconfig)).split('\n');
    assert.ok(shown.stdout.includes(first), shown.stdout);
  }
  return examination;
}

async function untilWell(kit: Kit, name?: string): Promise<Examination> {
  let examinations: readonly Examination[] = [];
  return eventually(
    () => `all is well: ${JSON.stringify(examinations, undefined, 1)}`,
    async () => {
      examinations = await examineAll(kit, name);
      const [first] = examinations;
      assert.ok(first);
      return examinations.every(({ verdict }) => verdict === 'well') && first;
    },
    AGAIN,
  );
}

async function untilFinding(kit: Kit, hop: Hop): Promise<Finding> {
  let finding: Finding | undefined;
  return eventually(
    () => `a finding of ${hop} instead of ${JSON.stringify(finding)}`,
    async () => {
      ({ finding } = await examine(kit, NAME));
      return finding?.hop === hop && finding;
    },
    AGAIN,
  );
}

/** Pastes what is printed, with the blanks filled in; what is asked of the program is done to it. */
async function apply(kit: Kit, { fixes }: Finding, injected: Injected): Promise<void> {
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
