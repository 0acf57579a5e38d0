/** Compares the guide with the code. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeYaml } from '@tributary/apimachinery';
import * as exported from '@tributary/storage';
import { parseEncryptionConfig } from './config.ts';

const path = join(import.meta.dirname, '../../../../docs/guides/encryption.md');
const guide = readFileSync(path, 'utf8');

function blocks(language: string): string[] {
  return [...guide.matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gms)]
    .filter(([, , found]) => found === language)
    .map(([, indent = '', , text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

test('every configuration of the guide is valid', () => {
  const files = blocks('yaml');
  assert.equal(files.length, 4);
  for (const file of files) {
    const text = file.replaceAll(/\$\{KEY_\d\}/g, randomBytes(32).toString('base64'));
    const { value: document } = decodeYaml(Buffer.from(text));
    assert.ok(parseEncryptionConfig(document).resources.length > 0);
  }
});

test('the imports of the guide exist', () => {
  const names = blocks('ts').flatMap((block) =>
    [...block.matchAll(/import \{([^}]*)\} from '@tributary\/storage'/g)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim()),
    ),
  );
  assert.equal(names.length, 6);
  for (const name of names) assert.ok(name in exported, name);
});
