/** Equal and different outputs, above all different ones, and recordings that do not depend on chance. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kubectl } from '../harness/index.ts';
import { type Fixtures, normalise } from './core/normalise.ts';
import {
  addResponse,
  lineByChance,
  type RecordedStep,
  readRecording,
  releaseOf,
  responseFor,
} from './core/recordings.ts';
import { runScript } from './core/run-script.ts';
import { inputOf } from './core/script.ts';
import { scripts } from './core/scripts/index.ts';

const ns: Fixtures = { namespace: 'here-1-20-2' };

const same: readonly { name: string; a: string; b: string; with?: Partial<Fixtures> }[] = [
  { name: 'ages', a: 'a   Active   9s', b: 'a   Active   2m10s' },
  { name: 'ages of years', a: '6y320d   Normal   6y320d   3', b: '6y321d   Normal   7y   3' },
  { name: 'widths of columns', a: 'NAME   AGE', b: 'NAME            AGE' },
  { name: 'times', a: 'at: "2026-01-02T03:04:05Z"', b: 'at: "2020-01-02T03:04:05.123456Z"' },
  { name: 'revisions', a: '  resourceVersion: "12"', b: '  resourceVersion: "9876"' },
  {
    name: 'uids',
    a: 'uid: 8ce387f8-4bd2-4267-8df6-933763e2c5ba',
    b: 'uid: 74217d6a-c19c-4e8d-807a-b3d691116974',
  },
  {
    name: 'cluster addresses and node ports',
    a: '10.0.0.7 80:30123/TCP',
    b: '10.0.0.9 80:32767/TCP',
  },
  { name: 'lines that are not kept', a: 'a\nb', b: 'a\nc', with: { keep: /^a/ } },
  { name: 'order where there is none', a: 'a\nb', b: 'b\na', with: { anyOrder: true } },
  {
    name: 'prose of explanations',
    a: 'KIND: X\nDESCRIPTION:\n  one\n  two\nFIELDS:\n  a <string>',
    b: 'KIND: X\nDESCRIPTION:\n  three\nFIELDS:\n  a <string>',
    with: { fieldsOnly: true },
  },
];
for (const { name, a, b, with: more } of same) {
  test(`not compared: ${name}`, () => assert.deepEqual(said(a, more), said(b, more)));
}

const different: readonly { name: string; a: string; b: string; with?: Partial<Fixtures> }[] = [
  { name: 'indentation', a: 'spec:\n  a: 1', b: 'spec:\na: 1' },
  { name: 'columns', a: 'NAME   AGE', b: 'NAME   STATUS   AGE' },
  { name: 'an age that is missing', a: 'a   9s', b: 'a   <unknown>' },
  { name: 'other addresses', a: '192.0.2.1', b: '192.0.2.2' },
  { name: 'other ports', a: '80/TCP', b: '81/TCP' },
  { name: 'order', a: 'a\nb', b: 'b\na' },
  {
    name: 'fields of explanations',
    a: 'DESCRIPTION:\n  x\nFIELDS:\n  a <string>',
    b: 'DESCRIPTION:\n  x\nFIELDS:\n  a <integer>',
    with: { fieldsOnly: true },
  },
];
for (const { name, a, b, with: more } of different) {
  test(`compared: ${name}`, () => assert.notDeepEqual(said(a, more), said(b, more)));
}

test('a namespace has the same name everywhere', () => {
  assert.deepEqual(said('"here-1-20-2" not found').stdout, ['"NAMESPACE" not found']);
});

test('releases that say the same share an answer', () => {
  const step: RecordedStep = { run: 'x', responses: [] };
  const [one, other] = [said('a'), said('b')];
  addResponse(step, '1.20', one);
  addResponse(step, '1.28', other);
  addResponse(step, releaseOf('1.36.3'), one);
  assert.deepEqual(step.responses, [
    { releases: ['1.20', '1.36'], ...one },
    { releases: ['1.28'], ...other },
  ]);
  assert.deepEqual(responseFor(step, '1.36'), { said: one });
  assert.equal(responseFor(step, '1.30'), undefined);
});

test('an answer with an Event of a repair controller is not recorded', () => {
  const step: RecordedStep = { run: 'describe svc a', responses: [] };
  const event = 'Warning  ClusterIPNotAllocated  AGE  ipallocator-repair-controller  Cluster IP';
  const port = 'Warning  PortNotAllocated  AGE  portallocator-repair-controller  Port 30001';
  for (const line of [event, port]) {
    assert.throws(() => addResponse(step, '1.37', said(`Events:\n  ${line}`)), /record the script/);
  }
  assert.deepEqual(step.responses, []);
});

test('no recorded answer has an Event that another run may not have', async () => {
  for (const { script, step, response } of await recorded()) {
    assert.equal(lineByChance(response), undefined, `${script}: ${step}`);
  }
});

test('every recorded diff of managedFields shows their times, which differ in every run', async () => {
  const diffs = (await recorded()).filter(({ response: { stdout } }) =>
    stdout.some((line) => /^-\s+f:/.test(line)),
  );
  assert.ok(diffs.length > 0);
  for (const { script, step, response } of diffs) {
    const times = response.stdout.filter((line) => /^[-+]\s+time: "TIME"$/.test(line));
    assert.equal(times.length, 2, `${script}: ${step}`);
  }
});

test('a step in the next second does not begin in the second of the step before it', async (t) => {
  const seconds: number[] = [];
  const run = async () => {
    seconds.push(Math.floor(Date.now() / 1000));
    return { code: 0, stdout: '', stderr: '' };
  };
  const start = () => assert.fail('no step of a script goes on');
  const kubectl: Kubectl = { version: '1.20.2', path: '', source: 'path', run, start };
  const steps = [{ run: 'apply -f -' }, { run: 'diff -f -', inNextSecond: true }];
  const player = { kubectl, kubeconfig: '', namespace: 'a' };
  for await (const _ of runScript(t, { name: 'seconds', steps }, player));
  const [apply = Number.NaN, diff] = seconds;
  assert.notEqual(diff, apply);
  assert.equal(seconds.length, steps.length);
});

test('several objects are documents of one YAML', () => {
  assert.equal(
    inputOf({ run: 'x', input: [{ a: 'NAMESPACE' }, { b: 1 }] }, 'n'),
    '---\n{"a":"n"}\n---\n{"b":1}\n',
  );
});

function said(stdout: string, more: Partial<Fixtures> = {}) {
  return normalise({ code: 0, stdout, stderr: '' }, { ...ns, ...more });
}

/** Every recorded answer of every script. */
async function recorded() {
  const responses = await Promise.all(
    scripts.map(async ({ name }) =>
      (await readRecording(name)).flatMap((step) =>
        step.responses.map((response) => ({ script: name, step: step.run, response })),
      ),
    ),
  );
  return responses.flat();
}
