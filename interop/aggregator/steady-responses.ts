/** Values that differ each time in responses about backends are replaced by names or sorted. */

import { isArray, isObject, type Json, mapJson, parseJson } from '../differential/json.ts';
import type { RawResponse } from '../differential/step-result.ts';
import type { Target } from '../differential/target.ts';

export interface Unsteady {
  readonly backends: readonly { readonly name: string; readonly port: number }[];
  /** The CA of serving certificates, in PEM. */
  readonly ca: string;
}

export function withSteadyResponses(target: Target, { backends, ca }: Unsteady): Target {
  // Of several names for one port the first one counts.
  const names = new Map(backends.toReversed().map(({ name, port }) => [String(port), name]));
  const caBundle = Buffer.from(ca).toString('base64');
  const named = (text: string): string =>
    text
      .replaceAll(caBundle, '<caBundle>')
      .replace(/(localhost|127\.0\.0\.1|\[::1\]):(\d+)/g, (whole, host, port) =>
        names.has(port) ? `${host}:<${names.get(port)}>` : whole,
      )
      .replace(/"port":(\d+)/g, (whole, port) =>
        names.has(port) ? `"port":"<${names.get(port)}>"` : whole,
      );
  return {
    ...target,
    send: async (call) => {
      const { status, headers, body } = await target.send(call);
      const steady = headers.map(([name, value]): RawResponse['headers'][number] => [
        name,
        named(value),
      ]);
      return { status, headers: steady, body: named(inOrder(body)) };
    },
  };
}

/** Managers are sorted by the second of their write, and a controller may write in that of the creation, or in the next. */
function inOrder(body: string): string {
  if (!body.startsWith('{"') || !body.includes('"managedFields":')) return body;
  const json = parseJson(body);
  if (!isObject(json)) return body;
  const sorted = mapJson(json, (value, key) =>
    key === 'managedFields' && isArray(value) ? value.toSorted(byManager) : undefined,
  );
  return JSON.stringify(sorted) + (body.endsWith('\n') ? '\n' : '');
}

function byManager(a: Json, b: Json): number {
  const [left, right] = [a, b].map((entry) => (isObject(entry) ? String(entry.manager) : ''));
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
