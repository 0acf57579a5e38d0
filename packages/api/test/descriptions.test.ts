import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import type { GoPackage, TypedKind } from '@tributary/server/definition';
import type { GoStructType, GoType } from '../../server/src/schema/typed/go-type.ts';
import { descriptionOf } from '../../server/src/schema/typed/typed-schema.ts';

interface GeneratedFile {
  readonly name: string;
  /** The package of the file's name. */
  readonly described: GoPackage;
  readonly kinds: readonly TypedKind[];
  /** Keys are `Type` and `Type.field`. */
  readonly descriptions: Readonly<Record<string, string>>;
}

const source = new URL('../src/', import.meta.url);

const files = await Promise.all(readdirSync(new URL('generated/', source)).map(readFile));

test('every kind and every field of it is described', () => {
  const kinds = files.flatMap((file) => file.kinds);
  assert.deepEqual(structsOf(kinds.map(({ struct }) => struct)).flatMap(undescribed), []);
});

for (const { name, described, descriptions } of files) {
  test(`the types and fields that descriptions of ${name} name exist`, () => {
    for (const key of Object.keys(descriptions)) {
      const [type = '', field] = key.split('.');
      const struct = described.type(type);
      assert.equal(struct.kind, 'struct', key);
      if (field !== undefined) assert.ok((struct as GoStructType).byName.has(field), key);
    }
  });
}

async function readFile(name: string): Promise<GeneratedFile> {
  const exported: unknown[] = Object.values(await import(`${source.href}generated/${name}`));
  const file = new URL(`descriptions/${name.replace('.ts', '.json')}`, source);
  const descriptions = JSON.parse(readFileSync(file, 'utf8')) as GeneratedFile['descriptions'];
  const end = `/${name.replace('-', '/').replace('.ts', '')}`;
  const described = exported.filter(isPackage).find(({ path }) => path.endsWith(end));
  assert.ok(described, name);
  return { name, described, kinds: exported.filter(isKind), descriptions };
}

function isPackage(value: unknown): value is GoPackage {
  return typeof value === 'object' && value !== null && 'path' in value;
}

function isKind(value: unknown): value is TypedKind {
  return typeof value === 'object' && value !== null && 'struct' in value;
}

function undescribed(struct: GoStructType): string[] {
  return [
    ...(struct.describe() === undefined ? [struct.definition] : []),
    ...struct.fields
      .filter((field) => descriptionOf(field) === undefined)
      .map((field) => `${struct.definition}.${field.name}`),
  ];
}

/** Without ObjectMeta, which the server library describes. */
function structsOf(roots: readonly GoStructType[]): GoStructType[] {
  const found = new Set(roots);
  const visit = (type: GoType): void => {
    if ('element' in type) visit(type.element);
    else if (type.kind === 'either') found.add(type.struct);
    else if (type.kind === 'struct' && type.bareName !== 'ObjectMeta') found.add(type);
  };
  // The set grows during the loop.
  for (const struct of found) for (const field of struct.fields) visit(field.type);
  return [...found];
}
