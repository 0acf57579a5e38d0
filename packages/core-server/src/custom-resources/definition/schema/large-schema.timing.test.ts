/** How long a large definition delays other requests. large-schema.test.ts shows that validation is linear. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { leastMs } from '../../../../../../test/harness/index.ts';
import { definitionOf } from '../../../../test/definition-fixture.ts';
import { validateDefinition, validateDefinitionUpdate } from '../validate-definition.ts';

const BYTES_MIN = 400_000;
/** CPU time of the thread, since other processes share the machine; the first run includes compilation. */
const FIRST_MS_MAX = 600;
const LATER_MS_MAX = 50;

describe('a definition of half a megabyte is validated quickly', () => {
  const cases: Readonly<Record<string, JSONSchemaProps>> = {
    'with descriptions': tree(4, 'What the field is for, and what happens without it. '.repeat(4)),
    'with fields only': tree(5, ''),
  };
  for (const [name, schema] of Object.entries(cases)) {
    test(name, async () => {
      const large = definitionOf({ type: 'object', properties: { spec: schema } });
      assert.ok(JSON.stringify(large).length > BYTES_MIN);
      const changed = definitionOf({
        type: 'object',
        properties: { spec: schema, x: { type: 'string' } },
      });
      const firstMs = thread(() => assert.deepEqual(validateDefinition(large), []));
      assert.ok(firstMs < FIRST_MS_MAX, `${firstMs} ms`);
      const laterMs = await leastMs(LATER_MS_MAX, () => thread(() => validateDefinition(large)));
      assert.ok(laterMs < LATER_MS_MAX, `${laterMs} ms`);
      const updateMs = await leastMs(LATER_MS_MAX, () =>
        thread(() => validateDefinitionUpdate(changed, large)),
      );
      assert.ok(updateMs < LATER_MS_MAX, `${updateMs} ms`);
    });
  }
});

/** Milliseconds of CPU time of this thread. */
function thread(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function tree(depth: number, description: string): JSONSchemaProps {
  const words = description === '' ? {} : { description };
  const properties: Record<string, JSONSchemaProps> = {
    first: { type: 'string', maxLength: 253, minLength: 1, ...words },
    name: { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 63, ...words },
    count: { type: 'integer', minimum: 0, default: 1, ...words },
  };
  for (let at = 0; at < 4; at += 1) properties[`text${at}`] = { type: 'string', ...words };
  for (let at = 0; depth > 0 && at < 4; at += 1) {
    const inner = tree(depth - 1, description);
    properties[`part${at}`] = at % 2 === 0 ? inner : { type: 'array', items: inner };
  }
  return { type: 'object', properties, required: ['name'], ...words };
}
