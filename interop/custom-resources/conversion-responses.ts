/** The answers to rows about conversion webhooks, without what is the judge's own: ports and certificates. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestScope } from '../../test/harness/index.ts';
import { differences } from '../core/differences.ts';
import { resultsOf } from '../differential/run-row.ts';
import type { StepResult } from '../differential/step-result.ts';
import type { Target } from '../differential/target.ts';
import type { DeliberateDifference, Lists } from '../differential/verdict.ts';
import { conversionRows } from './cases.ts';
import { startWebhooks, type Webhooks } from './webhook.ts';

export type ConversionResponses = Readonly<Record<string, readonly StepResult[]>>;

const recordedFile = join(import.meta.dirname, 'conversion-responses.json');

export async function readRecorded(): Promise<ConversionResponses> {
  return JSON.parse(await readFile(recordedFile, 'utf8')) as ConversionResponses;
}

export async function writeRecorded(responses: ConversionResponses): Promise<void> {
  await writeFile(recordedFile, `${JSON.stringify(responses, undefined, 1)}\n`);
}

const notLeftOut: DeliberateDifference = {
  id: 'what cannot be converted is not left out',
  rows: ['conversion: nothing can be read', 'conversion: nobody answers who reads'],
  path: /^(status|body\..+)$/,
  accepts: ({ step }) => step === 'any-revision',
  benefit:
    'A list at any resourceVersion fails where its objects cannot be converted; the original answers from a cache that stopped at the first of them, with a list that lacks objects which have been there for long.',
};

/** The original reports `StorageError: corrupt object` with the webhook's error at the end of it. */
const notCorrupt: DeliberateDifference = {
  id: 'a failed conversion is not a corrupt object',
  rows: /^conversion: /,
  path: /^body\.(message|reason|details)$/,
  accepts: ({ path, ours, reference }) =>
    path === 'body.message'
      ? /corrupt object|object not decodable/.test(String(reference)) &&
        String(reference).endsWith(String(ours))
      : ours === undefined,
  benefit:
    'The message names the conversion webhook and its error; the original calls the object corrupt, and accepts its unsafe deletion, while only a webhook is down.',
};

/** Differences of all kinds hold for these. */
export const conversionLists: Lists = {
  differences: [...differences, notLeftOut, notCorrupt],
  todoRows: [],
  todoPaths: [],
};

/** At the same time: the original waits two seconds before it takes the first object of a kind. */
const AT_ONCE = 4;

export async function askConversions(
  scope: TestScope,
  target: Target,
  runId: string,
): Promise<ConversionResponses> {
  const webhooks = await startWebhooks(scope);
  const waiting = conversionRows(webhooks);
  const responses = new Map<string, readonly StepResult[]>();
  const names = waiting.map(({ name }) => name);
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const raw = await resultsOf(row, target, { runId, sharedRevisions: true });
      responses.set(row.name, withoutAddresses(raw, webhooks));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return Object.fromEntries(names.map((name) => [name, responses.get(name) ?? []]));
}

function withoutAddresses(
  responses: readonly StepResult[],
  { url, deadUrl }: Webhooks,
): readonly StepResult[] {
  const hostOf = (address: string) => new URL(address).host;
  const text = JSON.stringify(responses)
    .replaceAll(hostOf(url), '<webhook>')
    .replaceAll(hostOf(deadUrl), '<nobody>');
  return JSON.parse(text) as readonly StepResult[];
}
