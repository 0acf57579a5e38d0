/** Definitions and rules that take long to read and to evaluate, and a control plane to send them to. */
import assert from 'node:assert/strict';
import { request } from 'node:https';
import type { TestCore } from '../../packages/core-server/test/core-fixture.ts';
import { eventually } from '../harness/index.ts';

export const GROUP: string = 'loops.example.com';
export const DEFINITIONS: string = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export type Schema = Readonly<Record<string, unknown>>;

export interface StepResult {
  readonly code: number;
  readonly text: string;
}

/** Nothing is parsed here that need not be. */
export function send(
  core: TestCore,
  method: string,
  path: string,
  body?: string,
): Promise<StepResult> {
  const { hostname, port } = new URL(core.server.url);
  const { cert, key } = core.pki.admin;
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      { method, hostname, port, path, headers, cert, key, ca: core.pki.servingCa },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export function definitionOf(plural: string, spec: Schema): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { plural, kind: kindOf(plural) },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });
}

function kindOf(plural: string): string {
  return `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
}

export function objectOf(plural: string, name: string, spec: unknown): string {
  const apiVersion = `${GROUP}/v1`;
  return JSON.stringify({ apiVersion, kind: kindOf(plural), metadata: { name }, spec });
}

export const objectsOf = (plural: string): string => `/apis/${GROUP}/v1/${plural}`;

/** Defines a kind and waits until it is served; the loop is watched until then. */
export async function define(core: TestCore, plural: string, spec: Schema): Promise<StepResult> {
  const result = await send(core, 'POST', DEFINITIONS, definitionOf(plural, spec));
  if (result.code !== 201) return result;
  const isServed = async () => (await send(core, 'GET', objectsOf(plural))).code === 200;
  await eventually(`${plural} are served`, isServed, { everyMs: 20 });
  return result;
}

/** Half a megabyte of fields. */
export function largeSpec(depth = 5): Schema {
  const properties: Record<string, Schema> = {
    first: { type: 'string', maxLength: 253, minLength: 1 },
    name: { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
    count: { type: 'integer', minimum: 0, default: 1 },
  };
  for (let at = 0; at < 4; at++) properties[`text${at}`] = { type: 'string' };
  for (let at = 0; depth > 0 && at < 4; at++) {
    const inner = largeSpec(depth - 1);
    properties[`part${at}`] = at % 2 === 0 ? inner : { type: 'array', items: inner };
  }
  return { type: 'object', properties, required: ['name'] };
}

const RULES = 600;
/** Some are in one place, the others each in one of its own. */
export function manyRules(): Schema {
  const fields = Array.from({ length: RULES / 2 }, (_, at) => [
    `f${at}`,
    { type: 'string', maxLength: 100, 'x-kubernetes-validations': [{ rule: ruleText(at) }] },
  ]);
  const rules = Array.from({ length: RULES / 2 }, (_, at) => ({
    rule: `!has(self.f${at}) || self.f${at}.size() > ${at % 5}`,
  }));
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    'x-kubernetes-validations': rules,
  };
}

const ruleText = (at: number) => `self.startsWith('a${at}') || self.size() > ${at % 5}`;
export const manyFields = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: RULES / 2 }, (_, at) => [`f${at}`, 'aaaaaaa']));

const texts = (maxItems: number): Schema => ({
  type: 'array',
  maxItems,
  items: { type: 'string', maxLength: 20 },
});
export const textValues = (length: number): string[] =>
  Array.from({ length }, (_, at) => `item-${at}`);

/** Each may cost more than it is given, and is accepted because that is not certain. */
export const burners: readonly { readonly rule: string; readonly items: number }[] = [
  { rule: 'self.all(x, self.all(y, x != y || true))', items: 800 },
  { rule: 'self.map(x, self.map(y, self.map(z, x + y + z))).size() > 0', items: 55 },
  { rule: 'self.all(x, self.all(y, self[5000] == x || true))', items: 800 },
  { rule: 'self.all(x, self.all(y, self.exists(z, z == "none") || true))', items: 115 },
  { rule: 'self.all(x, self.all(y, !(x + y).matches("(a|b)*a(a|b){20}c")))', items: 290 },
];
export const burningSpec: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    burners.map(({ rule, items }, at) => [
      `f${at}`,
      { ...texts(items), 'x-kubernetes-validations': [{ rule }] },
    ]),
  ),
};

/** Each stays within what one may cost; together they are ten times as expensive. */
const LISTS = 16;
const EACH = 380;
export const togetherSpec: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: LISTS }, (_, at) => [
      `f${at}`,
      {
        ...texts(EACH),
        'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x != y || true))' }],
      },
    ]),
  ),
};
export const together = (): Record<string, string[]> =>
  Object.fromEntries(Array.from({ length: LISTS }, (_, at) => [`f${at}`, textValues(EACH)]));
export const OUT_OF_BUDGET: RegExp =
  /running out of cost budget, no further validation rules will be run/;
export const OUT_OF_CALL: RegExp =
  /no further validation rules will be run due to call cost exceeds limit/;

/** From sources CEL is two hundred files; a program has it in one. */
export async function warmUp(core: TestCore): Promise<void> {
  const spec = { ...texts(10), 'x-kubernetes-validations': [{ rule: 'self.size() > 0' }] };
  await define(core, 'warmers', spec);
  const created = await send(core, 'POST', objectsOf('warmers'), objectOf('warmers', 'a', ['a']));
  assert.equal(created.code, 201, created.text);
}
