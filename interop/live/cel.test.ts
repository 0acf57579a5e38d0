/** The recorded results of Kubernetes' CEL are still its results, and the rules of a real server. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  createScope,
  eventually,
  httpsRequest,
  type RequestOptions,
  type Response,
} from '../../test/harness/index.ts';
import { celCases } from '../cel/cases.ts';
import {
  definitionOf,
  instanceOf,
  type PlacedRule,
  placeRules,
  RULE_COST_MAX,
} from '../cel/definitions.ts';
import { evaluateCases } from '../cel/evaluator.ts';
import { readRecordedResponses } from '../cel/recorded-results.ts';
import { evaluatedRegexps, readRecordedRegexps } from '../cel/regexps.ts';
import { asRuleErrors, complaints } from '../cel/server-verdict.ts';
import { buildPeers } from '../peers/build.ts';
import { peerVersion } from '../peers/peers.ts';
import { type ReferenceStack, startReferenceStack } from '../stack.ts';

const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ESTABLISHED = { withinMs: 60_000, everyMs: 100 };
const RULES_MIN = 60;
const RERUN = 'run: npm run record:cel';

const { responses, version } = readRecordedResponses();
const placed = placeRules(celCases, responses);

suite("Kubernetes' own CEL", () => {
  before(async () => {
    await buildPeers(['cel-evaluator'], { log: () => undefined });
  });

  test('is of the release that we are compared with', () => {
    assert.equal(peerVersion('cel-evaluator'), peerVersion('kube-apiserver'));
    assert.equal(version, peerVersion('cel-evaluator'), RERUN);
  });

  test('judges every expression as recorded', async () => {
    const checked = await evaluateCases(celCases);
    const changed = celCases
      .filter(({ name }) => !isDeepStrictEqual(checked[name], responses[name]))
      .map(({ name }) => `${name}: ${JSON.stringify(checked[name])}`);
    assert.deepEqual(changed, [], RERUN);
  });

  test('finds with every pattern what was recorded', async () => {
    const recorded = readRecordedRegexps();
    const changed = (await evaluatedRegexps())
      .filter((one, index) => !isDeepStrictEqual(one, recorded[index]))
      .map(({ pattern }) => pattern);
    assert.deepEqual(changed, [], RERUN);
  });
});

suite('rules of definitions on the real server', () => {
  const scope = createScope('cel');
  let stack: ReferenceStack;

  const send = (path: string, options?: RequestOptions): Promise<Response> => {
    const { url, ca, admin } = stack.kubeApiserver;
    return httpsRequest(url + path, { ca, ...admin, ...options });
  };
  const write = (method: 'POST' | 'PUT', path: string, body: string): Promise<Response> =>
    send(path, { method, headers: { 'content-type': 'application/json' }, body });

  before(async () => {
    stack = await startReferenceStack({ scope });
  });
  after(async () => {
    await stack.stop();
    await scope.close();
  });

  test('accepts and refuses data as recorded', async () => {
    const { accepted } = placed;
    assert.ok(accepted.length >= RULES_MIN, `only ${accepted.length} rules`);
    const made = await write('POST', CRD_PATH, JSON.stringify(definitionOf('samples', accepted)));
    assert.equal(made.status, 201, made.body.slice(0, 2000));
    const path = '/apis/cel.example.com/v1/samples';
    await waitFor(send, path);
    const wrong: string[] = [];
    for (const placedRule of accepted) {
      const response = await tried(write, path, placedRule);
      const found = asRuleErrors(response, placedRule.property);
      const { errors: expected = [] } = placedRule.rule;
      if (response.status < 300 ? expected.length === 0 : same(found, expected)) continue;
      wrong.push(`${placedRule.one.name}: ${response.status} ${found.join('; ')}, not ${expected}`);
    }
    assert.deepEqual(wrong, []);
  });

  test('refuses rules that do not compile with the recorded text', async () => {
    const { broken } = placed;
    assert.ok(broken.length > 0);
    const definition = JSON.stringify(definitionOf('brokens', broken));
    const response = await write('POST', `${CRD_PATH}?dryRun=All`, definition);
    assert.equal(response.status, 422, response.body.slice(0, 2000));
    const found = complaints(response);
    for (const { one, rule, property } of broken) {
      const own = found.filter(({ field }) => field.includes(`[${property}]`));
      const text = own.map(({ message }) => message).join('\n');
      assert.ok(text.includes(rule.compileError ?? ''), `${one.name}: ${text}`);
    }
  });

  test('refuses rules by the estimation that was recorded', async () => {
    const { estimated } = placed;
    const definition = JSON.stringify(definitionOf('estimates', estimated));
    const response = await write('POST', `${CRD_PATH}?dryRun=All`, definition);
    assert.equal(response.status, 422, response.body.slice(0, 2000));
    const found = complaints(response).filter(({ message }) =>
      message.includes('estimated rule cost exceeds budget'),
    );
    for (const { one, rule, property } of estimated) {
      const isRefused = found.some(({ field }) => field.includes(`[${property}]`));
      assert.equal(isRefused, Number(rule.maxCost) > RULE_COST_MAX, one.name);
    }
  });
});

type Write = (method: 'POST' | 'PUT', path: string, body: string) => Promise<Response>;

/** Creates the data, or what was before it and then changes it. */
async function tried(write: Write, path: string, placedRule: PlacedRule): Promise<Response> {
  const { one, rule, property } = placedRule;
  const self = one.self ?? 'null';
  if (rule.usesOldSelf !== true || one.oldSelf === undefined) {
    return write('POST', path, instanceOf('samples', placedRule, self));
  }
  const created = await write('POST', path, instanceOf('samples', placedRule, one.oldSelf));
  assert.equal(created.status, 201, created.body);
  const { metadata } = created.json() as { metadata: { resourceVersion: string } };
  const changed = JSON.parse(instanceOf('samples', placedRule, self)) as {
    metadata: Record<string, string>;
  };
  changed.metadata.resourceVersion = metadata.resourceVersion;
  return write('PUT', `${path}/${property}`, JSON.stringify(changed));
}

function same(found: readonly string[], expected: readonly string[]): boolean {
  return JSON.stringify(found) === JSON.stringify([...expected].sort());
}

/** The first requests after a definition is established are answered with 404 for a moment. */
async function waitFor(send: (path: string) => Promise<Response>, path: string): Promise<void> {
  const isServed = async () => (await send(path)).status === 200;
  await eventually(`${path} is served`, isServed, ESTABLISHED);
}
