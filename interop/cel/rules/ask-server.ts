/** Asks a real server what it says of scenarios. */
import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../packages/server/src/schema/json-schema.ts';
import { eventually, httpsRequest, type Response } from '../../../test/harness/index.ts';
import type { ServerAccess } from '../../stack.ts';
import {
  CRD_PATH,
  definitionOf,
  GROUP,
  instanceOf,
  LAX_SCHEMA,
  type NamedObject,
  SENTINEL,
  specSchema,
  withSentinel,
} from './definition.ts';
import { problemCases } from './problems.ts';
import { object, type RootScenario } from './scenario.ts';
import { rootScenarios } from './scenarios/roots.ts';
import { scenarios } from './scenarios.ts';
import { type Cause, type RecordedVerdicts, type Verdict, verdictOf } from './verdict.ts';

const SERVED = { withinMs: 60_000, everyMs: 100 };
/** Some rules are made to take long, and the machine may have other work. */
const REQUEST_TIMEOUT_MS = 60_000;

type Send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<Response>;

export async function askServer(
  server: ServerAccess,
): Promise<Pick<RecordedVerdicts, 'scenarios' | 'problems'>> {
  const { url, ca, admin } = server;
  const send: Send = (method, path, body) =>
    httpsRequest(url + path, {
      ca,
      ...admin,
      method,
      timeoutMs: REQUEST_TIMEOUT_MS,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  return {
    scenarios: { ...(await askScenarios(send)), ...(await askRoots(send)) },
    problems: await askProblems(send),
  };
}

async function askScenarios(send: Send): Promise<Record<string, Verdict>> {
  const path = `/apis/${GROUP}/v1/samples`;
  await define(send, 'samples');
  const named = scenarios.map((scenario, index) => ({ scenario, property: `case${index}` }));
  const lives = new Map<string, NamedObject>();
  for (const { scenario, property } of named) {
    if (scenario.before === undefined) continue;
    const content = { spec: { [property]: scenario.before } };
    lives.set(property, await created(send, path, instanceOf('samples', property, content)));
  }
  const properties = Object.fromEntries(
    named.map(({ scenario, property }) => [property, scenario.schema]),
  );
  await tighten(send, 'samples', specSchema(properties));
  const verdicts: Record<string, Verdict> = {};
  for (const { scenario, property } of named) {
    const next = instanceOf('samples', property, { spec: { [property]: scenario.after } });
    verdicts[scenario.name] = verdictIn(await write(send, path, next, lives.get(property)));
  }
  return verdicts;
}

async function askRoots(send: Send): Promise<Record<string, Verdict>> {
  const verdicts: Record<string, Verdict> = {};
  for (const [index, scenario] of rootScenarios.entries()) {
    verdicts[scenario.name] = await askRoot(send, scenario, rootPlural(index));
  }
  return verdicts;
}

export function rootPlural(index: number): string {
  return `root${index}s`;
}

async function askRoot(send: Send, scenario: RootScenario, plural: string): Promise<Verdict> {
  const { schema, before, after, part } = scenario;
  const path = `/apis/${GROUP}/v1/${plural}`;
  await define(send, plural);
  const made = before && (await created(send, path, instanceOf(plural, 'one', before)));
  const live = made && (await withStatus(send, path, made, before));
  await tighten(send, plural, withSentinel(schema));
  const next = instanceOf(plural, 'one', after);
  return verdictIn(await write(send, path, next, live, part));
}

/** The status is not written with the rest. */
async function withStatus(
  send: Send,
  path: string,
  made: NamedObject,
  { status }: Readonly<Record<string, unknown>>,
): Promise<NamedObject> {
  if (status === undefined) return made;
  const response = await send('PUT', `${path}/one/status`, { ...made, status });
  assert.equal(response.status, 200, response.body);
  return response.json() as NamedObject;
}

async function askProblems(send: Send): Promise<Record<string, Verdict>> {
  const verdicts: Record<string, Verdict> = {};
  for (const { name, schema } of problemCases) {
    const definition = definitionOf('problems', object({ spec: schema }));
    verdicts[name] = verdictIn(await send('POST', `${CRD_PATH}?dryRun=All`, definition));
  }
  return verdicts;
}

async function define(send: Send, plural: string): Promise<void> {
  const response = await send('POST', CRD_PATH, definitionOf(plural, LAX_SCHEMA));
  assert.equal(response.status, 201, response.body);
  const isServed = async () => (await send('GET', `/apis/${GROUP}/v1/${plural}`)).status === 200;
  await eventually(`${plural} are served`, isServed, SERVED);
}

/** The schema is in force when the sentinel is refused. */
async function tighten(send: Send, plural: string, schema: JsonSchema): Promise<void> {
  const path = `${CRD_PATH}/${plural}.${GROUP}`;
  const isChanged = async () => {
    const current = (await send('GET', path)).json() as { metadata: object };
    const definition = { ...definitionOf(plural, schema), metadata: current.metadata };
    const response = await send('PUT', path, definition);
    assert.ok(response.status === 200 || response.status === 409, response.body.slice(0, 4000));
    return response.status === 200;
  };
  await eventually(`${plural} are changed`, isChanged, SERVED);
  const sentinel = instanceOf(plural, SENTINEL, { [SENTINEL]: 'x' });
  const isInForce = async () =>
    (await send('POST', `/apis/${GROUP}/v1/${plural}?dryRun=All`, sentinel)).status === 422;
  await eventually(`the schema of ${plural} is in force`, isInForce, SERVED);
}

async function created(send: Send, path: string, sent: object): Promise<NamedObject> {
  const response = await send('POST', path, sent);
  assert.equal(response.status, 201, response.body);
  return response.json() as NamedObject;
}

function write(
  send: Send,
  path: string,
  next: NamedObject,
  live: NamedObject | undefined,
  part?: 'status',
): Promise<Response> {
  if (live === undefined) return send('POST', `${path}?dryRun=All`, next);
  const { name } = next.metadata;
  const place = part === undefined ? `${path}/${name}` : `${path}/${name}/${part}`;
  return send('PUT', `${place}?dryRun=All`, { ...next, metadata: live.metadata });
}

function verdictIn(response: Response): Verdict {
  const warnings = response.rawHeaders
    .filter(([name]) => name.toLowerCase() === 'warning')
    .map(([, value]) => warningText(value));
  if (response.status < 300) return verdictOf([], warnings);
  assert.equal(response.status, 422, response.body.slice(0, 4000));
  const { details } = response.json() as { details: { causes: readonly Cause[] } };
  return verdictOf(details.causes, warnings);
}

/** The text between the quotes of `299 - "text"`. */
function warningText(header: string): string {
  return header.replace(/^299 - "([\s\S]*)"$/, '$1').replace(/\\(["\\])/g, '$1');
}
